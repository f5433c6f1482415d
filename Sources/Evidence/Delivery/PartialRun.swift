public import RunModel

/// A run of which the files come one after the other, as far as they are here.
///
/// Its manifest is the first of them, and names the others; in a merged run the manifests of the shards name more, once they are here.
public struct PartialRun: Sendable, Hashable {
    /// A file that is not here.
    public struct MissingFile: Sendable, Hashable {
        /// The path in the run directory.
        public let path: String
        /// The SHA-256 of its bytes.
        public let sha256: String
    }

    /// The run.
    public let id: RunID
    /// The files that are here, as a delivery: those of the run if `missing` is empty.
    public let delivery: Delivery
    /// The files that are not here yet, each hash once.
    public let missing: [MissingFile]
    /// The SHA-256 of each manifest of a shard that is not here yet, and would name more files.
    public let missingShards: [String]

    /// Looks for the files of a run by its manifest.
    ///
    /// - Parameter manifest: The SHA-256 of its bytes.
    /// - Returns: `nil` if that is not here.
    /// - Throws: `EvidenceError` for a manifest that is none, or that names a file by what is no SHA-256.
    public init?(manifest sha256: String, in blobs: BlobStore) throws(EvidenceError) {
        guard let size = blobs.size(of: sha256), var manifest = try Self.manifest(sha256, in: blobs) else { return nil }
        id = manifest.id
        let artifacts = manifest.artifacts
        let shards = (manifest.merge?.shards ?? []).map { Self.hash(of: $0, in: artifacts) }
        missingShards = shards.compactMap(\.self).filter { blobs.size(of: $0) == nil }
        // What is named by a manifest that is not here, is not known yet.
        if !missingShards.isEmpty || shards.contains(nil) { manifest.merge = nil }
        var room = WholeDelivery.mostOfShards
        let named = try manifest.namedFiles { (folder) throws(EvidenceError) in
            room -= Self.hash(of: folder, in: artifacts).flatMap { blobs.size(of: $0) } ?? 0
            guard room >= 0 else {
                throw .tooLarge(
                    file: folder,
                    reason: "the manifests of all shards have more than \(WholeDelivery.mostOfShards) bytes")
            }
            return try Self.shard(folder, of: artifacts, in: blobs)
        }
        let own = Delivery.File(path: RunManifest.fileName, sha256: sha256, size: size)
        var (files, seen) = ([own], Set([Name(own.path)]))
        var (missing, absent) = ([MissingFile](), Set<String>())
        for file in named where seen.insert(Name(file.path)).inserted {
            guard Digest.isWellFormed(file.sha256) else {
                throw .damaged(file: file.path, reason: "its hash is not 64 lower-case hexadecimal digits")
            }
            if let size = blobs.size(of: file.sha256) {
                files.append(Delivery.File(path: file.path, sha256: file.sha256, size: size))
            } else if absent.insert(file.sha256).inserted {
                missing.append(MissingFile(path: file.path, sha256: file.sha256))
            }
        }
        delivery = Delivery(project: manifest.project, files: files)
        self.missing = missing
    }

    private static func manifest(_ sha256: String, in blobs: BlobStore) throws(EvidenceError) -> RunManifest? {
        guard let bytes = try FileBytes.read(blobs.location(of: sha256), limit: RunManifest.largest) else { return nil }
        return try RunManifest.decoded(bytes, path: RunManifest.fileName)
    }

    /// The SHA-256 of the manifest of a shard in a folder; `nil` for a folder of which none is named.
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
