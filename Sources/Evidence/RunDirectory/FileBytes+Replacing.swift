import Foundation

extension FileBytes {
    /// Writes a file of any size below a folder, piece by piece, in place of what is there: there is the old one or the new one, and
    /// never a part. Missing folders are made, and no link is followed. On disk when it returns.
    ///
    /// - Parameters:
    ///   - file: Contained in the folder, as `RunDirectory.isContained` has it.
    ///   - unfinished: The folder, on the same disk, of files that are not complete; what a killed writer leaves there is for
    ///     `SmallFile.removeUnfinished` to remove.
    package static func replace(
        _ file: String, beneath folder: String, unfinishedIn unfinished: String,
        _ write: (inout FileWriter) throws(EvidenceError) -> Void
    ) throws(EvidenceError) {
        let path = "\(folder)/\(file)"
        for needed in [folder, unfinished] { try makeFolders(to: needed) }
        let fresh = SmallFile.unfinishedName(of: "\(unfinished)/object")
        try prepare(fresh, write)
        do throws(EvidenceError) {
            guard let (parent, name) = try openFolder(of: file, beneath: folder, isMaking: true) else {
                throw .unwritable(path: path, reason: "its folder is gone")
            }
            defer { close(parent) }
            guard renameat(AT_FDCWD, fresh, parent, name) == 0, fsync(parent) == 0 else {
                throw .unwritable(path: path, reason: systemError())
            }
        } catch {
            unlink(fresh)
            throw error
        }
    }

    /// Writes a new file that only its owner can read, and waits until it is on the disk. If that fails, none is left.
    static func prepare(
        _ path: String, _ write: (inout FileWriter) throws(EvidenceError) -> Void
    ) throws(EvidenceError) {
        do throws(EvidenceError) {
            var file = try FileWriter(creating: path)
            try write(&file)
            try file.finish()
            try settle(path, mode: 0o600)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Removes a file below a folder; a missing one is no error. No link is followed.
    ///
    /// - Parameter file: Contained in the folder, as `RunDirectory.isContained` has it.
    package static func remove(_ file: String, beneath folder: String) throws(EvidenceError) {
        guard let (parent, name) = try openFolder(of: file, beneath: folder) else { return }
        defer { close(parent) }
        guard unlinkat(parent, name, 0) == 0 || errno == ENOENT else {
            throw .unwritable(path: "\(folder)/\(file)", reason: systemError())
        }
    }

    /// Makes a folder and those above it, unless they are there; on disk when it returns.
    private static func makeFolders(to path: String) throws(EvidenceError) {
        if access(path, F_OK) == 0 { return }
        do {
            try FileOwner.makeFolder(path)
        } catch {
            throw .unwritable(path: path, reason: "the folder cannot be created")
        }
        try sync((path as NSString).deletingLastPathComponent)
    }
}
