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
        /// When its file was last seen at the path.
        var sight: ContinuousClock.Instant
    }

    private let path: String
    private let patience: Duration
    private let staleness: Duration
    private var current: Opened?
    /// How many connections were opened, one after the other.
    private(set) var openings = 0

    /// - Parameter staleness: For how long the file at the path is taken for the one that was seen there.
    init(path: String, patience: Duration, staleness: Duration = .zero) {
        self.path = path
        self.patience = patience
        self.staleness = staleness
    }

    /// The connection, if it was seen not long ago that its file lies at the path.
    func recentQueue(at moment: ContinuousClock.Instant) -> DatabaseQueue? {
        current.flatMap { moment - $0.sight < staleness ? $0.queue : nil }
    }

    /// The connection to the file that lies at the path.
    ///
    /// - Parameters:
    ///   - identity: Which file that was before anybody had to wait for his turn.
    ///   - moment: When that was asked.
    mutating func queue(
        _ identity: FileIdentity, at moment: ContinuousClock.Instant
    ) throws(StorageError) -> DatabaseQueue {
        if let known = queue(seen: identity, at: moment) { return known }
        // It may have become yet another one since.
        let identity = try FileIdentity(path)
        if let known = queue(seen: identity, at: moment) { return known }
        do {
            let queue = try DatabaseQueue(path: Self.unambiguous(path), configuration: .reader(patience: patience))
            // One that was put in place while it was opened is not told from the one before: the next question opens it again.
            let isSteady = try FileIdentity(path) == identity
            current = isSteady ? Opened(queue: queue, identity: identity, sight: moment) : nil
            openings += 1
            return queue
        } catch {
            throw StorageError(error, path: path)
        }
    }

    private mutating func queue(seen identity: FileIdentity, at moment: ContinuousClock.Instant) -> DatabaseQueue? {
        guard current?.identity == identity else { return nil }
        current?.sight = moment
        return current?.queue
    }

    /// Closes the connection, if there is one.
    mutating func close() throws {
        try current?.queue.close()
        current = nil
    }

    /// A path that SQLite does not take for a URI or a database in memory.
    static func unambiguous(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }
}
