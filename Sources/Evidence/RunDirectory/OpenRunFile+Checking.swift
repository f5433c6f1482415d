import RunModel

extension OpenRunFile {
    /// Whether the file is what was recorded of it.
    ///
    /// - Throws: `EvidenceError.unreadable` when the system refuses to read.
    public func matches(_ artifact: Artifact) throws(EvidenceError) -> Bool {
        guard size == artifact.bytes else { return false }
        var (digest, offset) = (Digest(), 0)
        while offset < size {
            let piece = try bytes(from: offset, most: min(256 << 10, size - offset))
            guard !piece.isEmpty else { return false }
            digest.update(piece)
            offset += piece.count
        }
        return digest.text == artifact.sha256
    }
}
