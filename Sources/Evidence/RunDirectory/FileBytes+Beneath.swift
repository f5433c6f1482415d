import Foundation

extension FileBytes {
    /// Opens a regular file below an untrusted folder. No link is followed, and only regular files are opened,
    /// because a pipe would block and a device may do anything.
    ///
    /// - Parameter file: Contained in the folder, as `RunDirectory.isContained` has it.
    /// - Returns: The descriptor, which the caller closes, and the size in bytes; `nil` when there is no such file.
    /// - Throws: `EvidenceError.damaged` for what is no regular file or lies behind a link, `.tooLarge` above `limit` bytes.
    static func openRegular(
        _ file: String, beneath folder: String, limit: Int
    ) throws(EvidenceError) -> (descriptor: Int32, size: Int)? {
        let path = "\(folder)/\(file)"
        guard let (holder, name) = try openFolder(of: file, beneath: folder) else { return nil }
        defer { close(holder) }
        var status = stat()
        guard fstatat(holder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .unreadable(path: path, reason: systemError())
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(file: path, reason: "not a regular file") }
        // It may have been replaced meanwhile.
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        guard let opened = try descriptor(openat(holder, name, flags), path) else { return nil }
        do throws(EvidenceError) {
            return (opened, try size(of: opened, path, limit: limit))
        } catch {
            close(opened)
            throw error
        }
    }

    /// Opens the folder in which a file below an untrusted folder lies. No link is followed.
    ///
    /// - Parameters:
    ///   - file: Contained in the folder, as `RunDirectory.isContained` has it.
    ///   - isMaking: Whether folders that are missing are made; they are on the disk when it returns.
    /// - Returns: The descriptor, which the caller closes, and the name of the file in it; `nil` when there is no such folder.
    static func openFolder(
        of file: String, beneath folder: String, isMaking: Bool = false
    ) throws(EvidenceError) -> (descriptor: Int32, name: String)? {
        let parts = file.pathParts()
        guard let name = parts.last else { return nil }
        var path = folder
        guard var holder = try descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path) else { return nil }
        do throws(EvidenceError) {
            for part in parts.dropLast() {
                path += "/\(part)"
                if isMaking { try makeFolder(String(part), in: holder, path) }
                let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
                guard let next = try descriptor(openat(holder, String(part), flags), path) else {
                    close(holder)
                    return nil
                }
                close(holder)
                holder = next
            }
        } catch {
            close(holder)
            throw error
        }
        return (holder, String(name))
    }

    /// Makes a folder, unless it is there.
    private static func makeFolder(_ name: String, in holder: Int32, _ path: String) throws(EvidenceError) {
        guard mkdirat(holder, name, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw .unwritable(path: path, reason: systemError())
        }
        FileOwner.follow(folderOf: path)
        guard fsync(holder) == 0 else { throw .unwritable(path: path, reason: systemError()) }
    }

    /// What a system call opened; `nil` for what is not there.
    private static func descriptor(_ opened: Int32, _ path: String) throws(EvidenceError) -> Int32? {
        guard opened < 0 else { return opened }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR: throw .damaged(file: path, reason: "it lies behind a link, or in what is no folder")
        default: throw .unreadable(path: path, reason: systemError())
        }
    }
}
