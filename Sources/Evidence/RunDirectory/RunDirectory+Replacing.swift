import Foundation

extension RunDirectory {
    /// Whether all files that its manifest names, and in a merged run those of the shards' manifests, exist
    /// unchanged.
    ///
    /// A truncated copy is not complete, nor is a merge of a folder without a run. Kept sources are not checked.
    ///
    /// - Throws: `EvidenceError` when the system refuses to read.
    public func isWhole() throws(EvidenceError) -> Bool {
        do throws(EvidenceError) {
            // The remembered state may be outdated.
            let manifest = try RunDirectory(path: path).manifest()
            guard try holds(manifest.artifacts) else { return false }
            guard let merge = manifest.merge else { return true }
            for folder in merge.shards {
                guard Self.isContained(folder) else { return false }
                let shard = RunDirectory(path: location(of: folder))
                guard try shard.holds(try shard.manifest().artifacts) else { return false }
            }
            return manifest.gaps.isEmpty
        } catch {
            guard error.isBadInput else { throw error }
            return false
        }
    }

    private func holds(_ artifacts: [Artifact]) throws(EvidenceError) -> Bool {
        for artifact in artifacts {
            guard Self.isContained(artifact.path),
                let found = try FileBytes.digest(location(of: artifact.path), limit: Self.fileLimit),
                found.bytes == artifact.bytes, found.sha256 == artifact.sha256
            else { return false }
        }
        return true
    }

    /// Gives this directory's path to a complete folder.
    ///
    /// - Parameters:
    ///   - folder: On the same disk; `Writer.partialMark` is in its name, so that what stays of it is passed over.
    ///   - replaces: Whether what has the path now is removed. It stays if the folder cannot take its place.
    /// - Throws: `EvidenceError.unwritable`, also when something has the path that is not to be replaced.
    public func take(_ folder: String, replacing replaces: Bool) throws(EvidenceError) {
        let aside = "\(folder)-replaced"
        if replaces, rename(path, aside) != 0, errno != ENOENT {
            throw .unwritable(path: path, reason: FileBytes.systemError())
        }
        // `rename` does not replace a folder that is not empty.
        guard rename(folder, path) == 0 else {
            let reason = FileBytes.systemError()
            if replaces { rename(aside, path) }
            throw .unwritable(path: path, reason: reason)
        }
        try FileBytes.sync(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
        // If it cannot be removed, pruning removes it later.
        if replaces { try? FileManager.default.removeItem(atPath: aside) }
    }
}
