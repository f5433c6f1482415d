import Glibc

/// The advisory lock that serializes writers and checkpoints, in one process and across processes.
///
/// SQLite before 3.51.3 can damage a database in WAL mode when two connections write or checkpoint at the same
/// moment. The lock has its own file, because closing any descriptor of the database drops SQLite's locks on it.
struct WriterLock {
    /// The database of the lock.
    let path: String
    /// How long to wait for another writer.
    let timeout: Duration

    /// Runs `body` while no other writer does.
    func hold<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
        let descriptor = try open()
        defer { close(descriptor) }
        try acquire(descriptor)
        do { return try body() } catch { throw StorageError(error, path: path) }
    }

    private func open() throws(StorageError) -> Int32 {
        let descriptor = Glibc.open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let number = errno
            let message = "\(path).lock: \(String(cString: strerror(number)))"
            switch number {
            case EROFS, EACCES, EPERM: throw .readOnly(path: path, message: message)
            case ENOSPC, EDQUOT: throw .full(path: path, message: message)
            default: throw .cannotOpen(path: path, message: message)
            }
        }
        DurableFile.follow(folderOf: path, descriptor)
        return descriptor
    }

    private func acquire(_ descriptor: Int32) throws(StorageError) {
        let deadline = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR else {
                throw .failed(path: path, code: 0, message: "lock \(path).lock: \(String(cString: strerror(number)))")
            }
            guard ContinuousClock.now < deadline else {
                throw .busy(path: path, message: "another process has been writing to it for \(timeout)")
            }
            usleep(5000)
        }
    }
}
