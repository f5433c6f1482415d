import GRDB
public import RunModel

extension RunStore {
    /// The ids of all runs that are stored.
    public func allRunIDs() throws(StorageError) -> Set<RunID> {
        try read { connection in
            Set(try connection.statement("SELECT identity FROM run").all { try $0.runID(0) })
        }
    }

    /// Replaces the content of the store at `path` by that of the store at `fresh`, at once for every reader, and
    /// removes `fresh`.
    ///
    /// The content is copied in one transaction of the store itself, so that the log always belongs to its file, and
    /// a crash leaves either the old or the new content. A damaged store is moved aside first. Runs that were stored
    /// at `path` since `fresh` was begun are lost: the caller stores them again.
    ///
    /// - Parameters:
    ///   - path: The store to replace; it may be absent or damaged, but not of a newer version or another program.
    ///   - fresh: A store that is not open anywhere.
    ///   - timeout: How long to wait for another writer.
    /// - Returns: The new path of the damaged file; `nil` if there was none.
    @discardableResult
    public static func replace(
        databaseAt path: String, with fresh: String, timeout: Duration = .seconds(10)
    ) throws(StorageError) -> String? {
        let source = try RunStore(readOnly: fresh, timeout: timeout)
        let lock = WriterLock(path: path, timeout: timeout)
        let damaged = try lock.hold { () throws(StorageError) -> String? in
            guard try isDamaged(path, timeout: timeout) else { return nil }
            return try setAside(path)
        }
        let target = try RunStore(path: path, timeout: timeout)
        try source.withReader { source in
            try target.withWriter { target in try source.backup(to: target) }
        }
        try source.close()
        for suffix in ["", "-wal", "-shm", ".lock"] { try DurableFile.remove(fresh + suffix) }
        return damaged
    }

    private static func isDamaged(_ path: String, timeout: Duration) throws(StorageError) -> Bool {
        if DurableFile.isAbsentOrEmpty(path) { return false }
        do {
            let store = try RunStore(readOnly: path, timeout: timeout)
            return try store.read { connection in
                try connection.statement("PRAGMA quick_check(1)").first { $0.text(0) } != "ok"
            }
        } catch .corrupted {
            return true
        }
    }

    private static func setAside(_ path: String) throws(StorageError) -> String {
        var name = "\(path).damaged"
        var number = 1
        while DurableFile.exists(name) || DurableFile.exists("\(name)-wal") {
            number += 1
            name = "\(path).damaged\(number)"
        }
        // The log is moved first: SQLite would take it for the log of a new file.
        if DurableFile.exists("\(path)-wal") { try DurableFile.move("\(path)-wal", to: "\(name)-wal") }
        try DurableFile.remove("\(path)-shm")
        try DurableFile.move(path, to: name)
        try DurableFile.syncFolder(of: path)
        return name
    }
}
