import GRDB
import GRDBSQLite
import Glibc

/// The connection that reads, opened again when the file at the path has become another one.
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
    private let patience: Duration
    private var current: Opened?
    /// How many connections were opened, one after the other.
    private(set) var openings = 0

    init(path: String, patience: Duration) {
        self.path = path
        self.patience = patience
    }

    /// The connection to the file that lies at the path.
    ///
    /// - Parameter identity: Which file that was before anybody had to wait for his turn.
    mutating func queue(_ identity: FileIdentity) throws(StorageError) -> DatabaseQueue {
        if let current, current.identity == identity { return current.queue }
        // It may have become yet another one since.
        let identity = try FileIdentity(path)
        if let current, current.identity == identity { return current.queue }
        do {
            let queue = try DatabaseQueue(path: Self.unambiguous(path), configuration: .reader(patience: patience))
            // One that was put in place while it was opened is not told from the one before: the next question opens it again.
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

    /// A path that SQLite does not take for a URI or a database in memory.
    static func unambiguous(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }
}
