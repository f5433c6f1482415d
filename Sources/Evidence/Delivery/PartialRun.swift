public import RunModel

/// A run of which the files come one after the other, as far as they are here.
///
/// Its manifest is the first of them, and names the others; in a merged run the manifests of the shards name more, once they are here.
public struct PartialRun: Sendable {
    /// The run.
    public let id: RunID
    /// The files that are here, as a delivery: those of the run if `missing` is empty.
    public let delivery: Delivery
    /// The SHA-256 of each file that is not here yet, each once.
    public let missing: [String]

    /// Looks for the files of a run by its manifest.
    ///
    /// - Parameter manifest: The SHA-256 of its bytes.
    /// - Returns: `nil` if that is not here.
    /// - Throws: `EvidenceError` for a manifest that is none, or that names a file by what is no SHA-256.
    public init?(manifest sha256: String, in blobs: BlobStore) throws(EvidenceError) {
        guard let size = blobs.size(of: sha256), var manifest = try Self.manifest(sha256, in: blobs) else { return nil }
        id = manifest.id
        // Who is named by a manifest that is not here, is not known yet.
        if try !Self.hasShards(of: manifest, in: blobs) { manifest.merge = nil }
        let artifacts = manifest.artifacts
        let named = try manifest.namedFiles { (folder) throws(EvidenceError) in
            try Self.shard(folder, of: artifacts, in: blobs)
        }
        let own = Delivery.File(path: RunManifest.fileName, sha256: sha256, size: size)
        var (files, seen) = ([own], Set([Name(own.path)]))
        var (missing, absent) = ([String](), Set<String>())
        for file in named where seen.insert(Name(file.path)).inserted {
            guard Digest.isWellFormed(file.sha256) else {
                throw .damaged(file: file.path, reason: "its hash is not 64 lower-case hexadecimal digits")
            }
            if let size = blobs.size(of: file.sha256) {
                files.append(Delivery.File(path: file.path, sha256: file.sha256, size: size))
            } else if absent.insert(file.sha256).inserted {
                missing.append(file.sha256)
            }
        }
        delivery = Delivery(project: manifest.project, files: files)
        self.missing = missing
    }

    private static func manifest(_ sha256: String, in blobs: BlobStore) throws(EvidenceError) -> RunManifest? {
        guard let bytes = try FileBytes.read(blobs.location(of: sha256), limit: RunManifest.largest) else { return nil }
        return try RunManifest.decoded(bytes, path: RunManifest.fileName)
    }

    /// Whether the manifests of all shards of a merged run are here; of other runs there are none.
    private static func hasShards(of manifest: RunManifest, in blobs: BlobStore) throws(EvidenceError) -> Bool {
        for folder in manifest.merge?.shards ?? [] {
            guard let sha256 = hash(of: folder, in: manifest.artifacts), blobs.size(of: sha256) != nil else {
                return false
            }
        }
        return true
    }

    private static func hash(of shard: String, in artifacts: [Artifact]) -> String? {
        let path = Name("\(shard)/\(RunManifest.fileName)")
        return artifacts.first { Name($0.path) == path }?.sha256
    }

    private static func shard(
        _ folder: String, of artifacts: [Artifact], in blobs: BlobStore
    ) throws(EvidenceError) -> RunManifest {
        guard let sha256 = hash(of: folder, in: artifacts), let shard = try manifest(sha256, in: blobs) else {
            throw .notARunDirectory(path: folder)
        }
        return shard
    }
}
