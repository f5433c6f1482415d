import GRDB
import GRDBSQLite
import Glibc

/// The read connection, opened again when the file at the path was replaced.
struct StoreReader {
    /// Which file lies at a path.
    struct FileIdentity: Equatable {
        private let device: UInt
        private let inode: UInt

        init(_ path: String) throws(StorageError) {
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw .cannotOpen(path: path, message: String(cString: strerror(errno)))
            }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
        }
    }

    private struct Opened {
        let queue: DatabaseQueue
        let identity: FileIdentity
    }

    private let path: String
    private let timeout: Duration
    private var current: Opened?
    /// How many connections were opened so far.
    private(set) var openings = 0

    init(path: String, timeout: Duration) { (self.path, self.timeout) = (path, timeout) }

    /// The connection to the file at the path.
    ///
    /// - Parameter identity: The file before the caller waited for the lock.
    mutating func queue(_ identity: FileIdentity) throws(StorageError) -> DatabaseQueue {
        if let current, current.identity == identity { return current.queue }
        // It may have been replaced again since.
        let identity = try FileIdentity(path)
        if let current, current.identity == identity { return current.queue }
        do {
            let queue = try DatabaseQueue(path: Self.unambiguous(path), configuration: .reader(timeout: timeout))
            // A file that was replaced during the opening cannot be told from the one before: the next query opens it
            // again.
            let isSteady = try FileIdentity(path) == identity
            current = isSteady ? Opened(queue: queue, identity: identity) : nil
            openings += 1
            return queue
        } catch {
            throw StorageError(error, path: path)
        }
    }

    /// Closes the connection, if there is one.
    mutating func close() throws {
        try current?.queue.close()
        current = nil
    }

    /// A path that SQLite does not mistake for a URI or an in-memory database.
    static func unambiguous(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }
}
