public import Evidence

/// The bytes of an object that is put. They can be read as often as it takes, as a request may have to be sent again.
public struct ObjectContent: Sendable {
    private enum Source: Sendable {
        case bytes([UInt8])
        case file(OpenRunFile)
    }

    /// The most that is in memory of one file.
    static let pieceSize = 256 << 10

    private let source: Source
    /// The number of bytes.
    public let size: Int
    /// Their SHA-256, in lower-case hexadecimal.
    public let sha256: String

    /// Bytes in memory.
    public init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
        size = bytes.count
        sha256 = Digest.sha256(bytes)
    }

    /// A file, which is read piece by piece.
    ///
    /// - Parameter sha256: What its hash is known to be: a store refuses a file that has another.
    public init(_ file: OpenRunFile, sha256: String) {
        source = .file(file)
        size = file.size
        self.sha256 = sha256
    }

    /// The bytes from an offset on, at most `pieceSize`; none behind the end.
    ///
    /// - Throws: `EvidenceError` when the file cannot be read, or has become shorter.
    func piece(from offset: Int) throws(EvidenceError) -> [UInt8] {
        guard offset < size else { return [] }
        let most = min(Self.pieceSize, size - offset)
        switch source {
        case .bytes(let bytes): return Array(bytes[offset..<offset + most])
        case .file(let file):
            let piece = try file.bytes(from: offset, most: most)
            guard !piece.isEmpty else {
                throw .damaged(file: sha256, reason: "it ends after \(offset) bytes, \(size) were there")
            }
            return piece
        }
    }
}
