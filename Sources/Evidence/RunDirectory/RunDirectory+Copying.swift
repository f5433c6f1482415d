import Foundation

extension RunDirectory {
    /// Copies this untrusted directory: only the files that its manifest names, and in a merged run those of the
    /// shards' manifests.
    ///
    /// Bytes are written into new files, so that no owner, permission, link or device is copied. Missing files and
    /// files that are not regular are missing in the copy too, which reading it reports.
    ///
    /// - Parameters:
    ///   - manifest: The manifest, read and checked before.
    ///   - path: The path of the copy; missing parent folders are made.
    ///   - replaces: Whether an existing directory is replaced.
    /// - Throws: `EvidenceError`; the path is then as it was.
    public func copy(
        _ manifest: RunManifest, to path: String, replacing replaces: Bool
    ) throws(EvidenceError) -> RunDirectory {
        guard let bytes = try FileBytes.read(location(of: RunManifest.fileName), limit: RunManifest.largest) else {
            throw .notARunDirectory(path: self.path)
        }
        guard try RunManifest.decoded(bytes, path: location(of: RunManifest.fileName)) == manifest else {
            throw .damaged(file: location(of: RunManifest.fileName), reason: "it changed while it was read")
        }
        let writer = try Writer(creating: path, replacing: replaces)
        do throws(EvidenceError) {
            var files = try writer.copy(manifest.artifacts.filter { $0.role != .shardManifest }, of: self)
            try writer.copySources(manifest, of: self)
            for folder in manifest.merge?.shards ?? [] {
                files += try writer.copyShard(folder, manifest, of: self)
            }
            return try writer.finish(bytes, files: files)
        } catch {
            // The error that ended the copy is the one to report.
            try? writer.discard()
            throw error
        }
    }
}

extension RunDirectory.Writer {
    /// Copies artifacts of a run directory.
    ///
    /// - Parameter folder: Where in this directory; itself, or the folder of a shard.
    /// - Returns: The paths of those that were there, relative to this directory.
    package func copy(
        _ artifacts: [Artifact], of given: RunDirectory, into folder: String = ""
    ) throws(EvidenceError) -> [String] {
        var files: [String] = []
        for artifact in artifacts where RunDirectory.isContained(artifact.path) {
            let target = folder.isEmpty ? artifact.path : "\(folder)/\(artifact.path)"
            // One byte more than recorded, so that a file that is too long stays damaged.
            if try copy(artifact.path, of: given, most: artifact.bytes + 1, to: target) { files.append(target) }
        }
        return files
    }

    /// Copies the sources that a run kept, each once. Those of shards are kept with the run's own.
    package func copySources(_ manifest: RunManifest, of given: RunDirectory) throws(EvidenceError) {
        for source in manifest.sources where Digest.isWellFormed(source.sha256) {
            let file = "\(RunDirectory.sourcesFolder)/\(source.sha256)"
            if access(try location(of: file), F_OK) == 0 { continue }
            _ = try copy(file, of: given, most: RunDirectory.fileLimit, to: file)
        }
    }

    /// Copies the run directory of a shard out of that of a merged run.
    fileprivate func copyShard(
        _ folder: String, _ manifest: RunManifest, of given: RunDirectory
    ) throws(EvidenceError) -> [String] {
        let path = "\(folder)/\(RunManifest.fileName)"
        guard let entry = manifest.artifacts.first(where: { $0.role == .shardManifest && $0.path == path }) else {
            return []
        }
        let files = try copy([entry], of: given)
        guard !files.isEmpty else { return [] }
        let shard: RunManifest
        do throws(EvidenceError) {
            // Nobody else can change the copy.
            shard = try RunDirectory(path: "\(self.path)/\(folder)").manifest()
        } catch {
            guard error.isBadInput else { throw error }
            return files
        }
        try copySources(shard, of: given)
        return files + (try copy(shard.artifacts, of: RunDirectory(path: "\(given.path)/\(folder)"), into: folder))
    }

    /// Copies a file, as far as it is there; tells whether it is.
    private func copy(
        _ file: String, of given: RunDirectory, most: Int, to target: String
    ) throws(EvidenceError) -> Bool {
        let found: (descriptor: Int32, size: Int)?
        do throws(EvidenceError) {
            found = try FileBytes.openRegular(file, beneath: given.path, limit: RunDirectory.fileLimit)
        } catch {
            guard error.isBadInput else { throw error }
            return false
        }
        guard let (descriptor, size) = found else { return false }
        defer { close(descriptor) }
        var copy = try FileWriter(creating: try location(of: target))
        var rest = min(size, most)
        while rest > 0 {
            let piece = try FileBytes.chunk(min(rest, 1 << 20), of: descriptor, "\(given.path)/\(file)")
            if piece.isEmpty { break }
            try piece.withUnsafeBufferPointer { bytes throws(EvidenceError) in
                try copy.append(UnsafeRawBufferPointer(bytes))
            }
            rest -= piece.count
        }
        try copy.finish()
        return true
    }
}
