import Foundation

extension BlobStore {
    /// Keeps the sources of a run that was made here once for all runs: a source that an earlier run has becomes a link to it,
    /// and a new one becomes a blob.
    ///
    /// Nothing depends on it but the room on the disk: where files cannot be linked, the run keeps its own.
    public func share(sourcesOf directory: RunDirectory) throws(EvidenceError) {
        for sha256 in Set(try directory.manifest().sources.map(\.sha256)) where Digest.isWellFormed(sha256) {
            try share("\(directory.path)/\(RunDirectory.sourcesFolder)/\(sha256)", as: sha256)
        }
    }

    private func share(_ file: String, as sha256: String) throws(EvidenceError) {
        guard let size = size(of: sha256) else {
            // A name is a promise about the content.
            guard try FileBytes.digest(file, limit: Self.largest)?.sha256 == sha256 else { return }
            try make(folder(of: sha256))
            _ = link(file, location(of: sha256))
            return
        }
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size else { return }
        let fresh = "\(file).shared"
        guard link(location(of: sha256), fresh) == 0 else { return }
        // A name that has the same file already would stay beside the new one.
        if rename(fresh, file) != 0 || access(fresh, F_OK) == 0 { unlink(fresh) }
    }
}
