import Evidence

/// Which sources a run kept. A path is looked up in its manifest, byte for byte, and never opened.
struct KeptSources: Sendable {
    private let directory: RunDirectory
    private let hashes: [[UInt8]: String]

    /// Reads the manifest; `nil` for a folder that is gone: run directories are kept for a limited time only.
    init?(in directory: RunDirectory) throws(EvidenceError) {
        self.directory = directory
        do throws(EvidenceError) {
            let sources = try directory.manifest().sources
            hashes = Dictionary(sources.map { (Array($0.path.utf8), $0.sha256) }) { first, _ in first }
        } catch .notARunDirectory {
            return nil
        }
    }

    /// The bytes of a source; `nil` for one that was not kept, or is gone.
    func bytes(of path: String) throws(EvidenceError) -> [UInt8]? {
        guard let hash = hashes[Array(path.utf8)] else { return nil }
        return try directory.source(hash)
    }
}
