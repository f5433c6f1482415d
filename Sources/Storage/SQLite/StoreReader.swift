import GRDB
import GRDBSQLite
import Glibc

/// The connection that reads, opened again when the file at the path has become another one.
struct StoreReader {
    private struct FileIdentity: Equatable {
        let device: UInt
        let inode: UInt

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
        }
    }

    private let path: String
    private let patience: Duration
    private var current: (queue: DatabaseQueue, identity: FileIdentity)?
    /// How many connections were opened, one after the other.
    private(set) var openings = 0

    init(path: String, patience: Duration) {
        self.path = path
        self.patience = patience
    }

    /// The connection to the file that lies at the path now.
    mutating func queue() throws(StorageError) -> DatabaseQueue {
        guard let identity = FileIdentity(path) else {
            throw .cannotOpen(path: path, message: String(cString: strerror(errno)))
        }
        if let current, current.identity == identity { return current.queue }
        do {
            let queue = try DatabaseQueue(path: Self.unambiguous(path), configuration: .reader(patience: patience))
            current = (queue, identity)
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
