import RunModel

/// The files that a run directory needs besides its manifest, by what they hold, as its manifests in memory name them.
public struct NeededFiles: Sendable, Hashable {
    /// The SHA-256 of each file, those of the manifests of shards among them.
    public let files: Set<String>
    /// The SHA-256 of each manifest of a shard that was not given, and names more files.
    public let missingShards: [String]

    /// Reads manifests.
    ///
    /// - Parameters:
    ///   - bytes: The manifest of the run.
    ///   - shards: The manifests of its shards, as far as they are known, by their SHA-256.
    /// - Throws: `EvidenceError` for a manifest that is none, or that names a file by what is no SHA-256.
    public init(manifest bytes: [UInt8], shards: [String: [UInt8]] = [:]) throws(EvidenceError) {
        var manifest = try RunManifest.decoded(bytes, path: RunManifest.fileName)
        var read: [Name: RunManifest] = [:]
        var missing: [String] = []
        for folder in manifest.merge?.shards ?? [] {
            let path = Name("\(folder)/\(RunManifest.fileName)")
            guard let sha256 = manifest.artifacts.first(where: { Name($0.path) == path })?.sha256 else {
                throw .notARunDirectory(path: folder)
            }
            if let shard = shards[sha256] {
                read[Name(folder)] = try RunManifest.decoded(shard, path: path.text)
            } else {
                missing.append(sha256)
            }
        }
        // What is named by a manifest that is not here, is not known yet.
        if !missing.isEmpty { manifest.merge = nil }
        let known = read
        let named = try manifest.namedFiles { (folder) throws(EvidenceError) in
            guard let shard = known[Name(folder)] else { throw .notARunDirectory(path: folder) }
            return shard
        }
        var files: Set<String> = []
        for file in named {
            guard Digest.isWellFormed(file.sha256) else {
                throw .damaged(file: file.path, reason: "its hash is not 64 lower-case hexadecimal digits")
            }
            files.insert(file.sha256)
        }
        self.files = files
        missingShards = missing
    }
}
