import Glibc

/// The few calls on files that SQLite does not make by itself.
enum DurableFile {
    /// Creates an empty file that only its owner can read; `false` if it exists.
    static func create(_ path: String) throws(StorageError) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw failure(path)
        }
        follow(folderOf: path, descriptor)
        close(descriptor)
        try syncFolder(of: path)
        return true
    }

    /// If this process is root, gives an open file to the owner of the folder that it is in: otherwise a server of that user could not
    /// open the store. Files that SQLite makes beside it get the same owner.
    static func follow(folderOf path: String, _ descriptor: Int32) {
        var folder = stat()
        guard geteuid() == 0, stat(Self.folder(of: path), &folder) == 0, folder.st_uid != 0 else { return }
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    /// Lets `write` fill a file, which gets its final name when it is complete and never in part. The name must be free.
    static func writeNew<Result>(
        _ path: String, _ write: (_ temporary: String) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard !exists(path) else { throw .fileExists(path: path) }
        let temporary = "\(path).partial"
        try remove(temporary)
        _ = try create(temporary)
        do {
            let result = try write(temporary)
            try publish(temporary, as: path)
            return result
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Syncs a file and gives it its final name, which must be free.
    static func publish(_ temporary: String, as path: String) throws(StorageError) {
        try sync(temporary, flags: O_RDWR)
        // Unlike rename, link never replaces.
        guard link(temporary, path) == 0 else {
            throw errno == EEXIST ? .fileExists(path: path) : failure(path)
        }
        try remove(temporary)
        try syncFolder(of: path)
    }

    /// Moves a file to a name that is free.
    static func move(_ path: String, to target: String) throws(StorageError) {
        guard rename(path, target) == 0 else { throw failure(path) }
    }

    /// Removes a file; a missing file is no error.
    static func remove(_ path: String) throws(StorageError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    /// Whether something exists at the path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether a new store can be created at the path: there is no file, or an empty one.
    static func isAbsentOrEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 ? errno == ENOENT : status.st_size == 0
    }

    /// Syncs the names in the folder of `path`.
    static func syncFolder(of path: String) throws(StorageError) {
        try sync(folder(of: path), flags: O_RDONLY | O_DIRECTORY)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func sync(_ path: String, flags: Int32) throws(StorageError) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> StorageError {
        let number = errno
        let message = String(cString: strerror(number))
        switch number {
        case EROFS, EACCES, EPERM: return .readOnly(path: path, message: message)
        case ENOSPC, EDQUOT: return .full(path: path, message: message)
        default: return .cannotOpen(path: path, message: message)
        }
    }
}
