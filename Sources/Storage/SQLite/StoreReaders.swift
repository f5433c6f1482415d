import GRDB
import Synchronization

/// The read connections of a store. A slow read keeps others waiting only if all connections are in use.
///
/// They are opened when they are needed, so a command that reads one thing after the other has one.
final class StoreReaders: Sendable {
    /// More than a server reads at a time (pages, whole runs, badges, questions and calls of machines), so that a quick read always finds
    /// a free one.
    private static let most = 16

    private let path: String
    private let readers: [Slot]
    /// How many reads each of them serves now.
    private let busy = Mutex(Array(repeating: 0, count: StoreReaders.most))

    private final class Slot: Sendable {
        let reader: Mutex<StoreReader>

        init(_ reader: StoreReader) { self.reader = Mutex(reader) }
    }

    init(path: String, timeout: Duration) {
        self.path = path
        readers = (0..<Self.most).map { _ in Slot(StoreReader(path: path, timeout: timeout)) }
    }

    /// Calls `body` with the connection that serves the fewest reads now, a free one if there is one.
    func withFree<Result>(_ body: (DatabaseQueue, Int) throws -> Result) throws(StorageError) -> Result {
        let index = busy.withLock { busy in
            let index = busy.indices.dropFirst().min { busy[$0] < busy[$1] } ?? 0
            busy[index] += 1
            return index
        }
        defer { busy.withLock { $0[index] -= 1 } }
        return try with(index, body)
    }

    /// Calls `body` with the first connection, which is kept for quick reads that have to use the same connection each time.
    func withFirst<Result>(_ body: (DatabaseQueue, Int) throws -> Result) throws(StorageError) -> Result {
        try with(0, body)
    }

    private func with<Result>(
        _ index: Int, _ body: (DatabaseQueue, Int) throws -> Result
    ) throws(StorageError) -> Result {
        // Before the lock, so that a slow file system blocks no other reader.
        let identity = try StoreReader.FileIdentity(path)
        let (queue, opening) = try readers[index].reader.withLock { (reader) throws(StorageError) in
            (try reader.queue(identity), reader.openings)
        }
        do { return try body(queue, opening) } catch { throw StorageError(error, path: path) }
    }

    /// Closes all of them.
    func close() throws(StorageError) {
        for slot in readers {
            do { try slot.reader.withLock { try $0.close() } } catch { throw StorageError(error, path: path) }
        }
    }
}
