import RunModel

/// Which sources a run kept. A path is looked up in its manifest, byte for byte, and never opened.
public struct KeptSources: Sendable {
    private let directory: RunDirectory
    private let hashes: [Name: String]

    /// Reads the manifest; `nil` for a folder that is gone: run directories are kept for a limited time only.
    public init?(in directory: RunDirectory) throws(EvidenceError) {
        self.directory = directory
        do throws(EvidenceError) {
            let sources = try directory.manifest().sources
            hashes = Dictionary(sources.map { (Name($0.path), $0.sha256) }) { first, _ in first }
        } catch .notARunDirectory {
            return nil
        }
    }

    /// The bytes of a source; `nil` for one that was not kept, or is gone.
    ///
    /// - Throws: `EvidenceError.tooLarge` for more than `limit` bytes, before any is read.
    public func bytes(of path: String, limit: Int = RunDirectory.fileLimit) throws(EvidenceError) -> [UInt8]? {
        guard let hash = hashes[Name(path)] else { return nil }
        return try directory.source(hash, limit: limit)
    }
}
