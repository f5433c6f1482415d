import RunModel

extension RunManifest {
    /// SHA-256 over the paths and contents of all sources that were kept; `nil` without any.
    package var sourceDigest: String? {
        guard !self.sources.isEmpty else { return nil }
        let sorted = self.sources.sorted { Name($0.path) < Name($1.path) }
        // No path holds a zero, and every hash has the same length: no two lists have the same bytes.
        return Digest.sha256(sorted.flatMap { Array($0.path.utf8) + [0] + Array($0.sha256.utf8) })
    }
}
