import GRDB
import GRDBSQLite

/// The history of runs in one SQLite file.
///
/// Safe to use from any thread and, for one file, from any number of processes: readers never wait, writers take
/// turns. Calls block; nothing here is asynchronous. A run is on disk when `ingest` returns.
public final class RunStore: Sendable {
    /// The path of the database; `-wal`, `-shm` and `.lock` files are beside it while it is in use.
    public let path: String

    let lock: WriterLock
    private let isReadOnly: Bool
    let trace: StatementTrace?
    let readers: StoreReaders

    /// Opens the store for reading and writing; creates it if the file is missing or empty.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist. Only its owner can read it.
    ///   - timeout: How long to wait for another writer.
    public init(path: String, timeout: Duration = .seconds(10)) throws(StorageError) {
        self.path = path
        trace = nil
        lock = WriterLock(path: path, timeout: timeout)
        isReadOnly = false
        readers = StoreReaders(path: path, timeout: timeout)
        if try schemaVersion() == 0 { try create() }
    }

    /// Opens the store for reading; the file must exist, and is not changed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - timeout: How long to wait for a writer.
    ///   - trace: Records the cost of statements.
    public init(
        readOnly path: String, timeout: Duration = .seconds(10), trace: StatementTrace? = nil
    ) throws(StorageError) {
        self.path = path
        self.trace = trace
        lock = WriterLock(path: path, timeout: timeout)
        isReadOnly = true
        readers = StoreReaders(path: path, timeout: timeout)
        guard try schemaVersion() > 0 else { throw .notAStore(path: path, message: "it is empty") }
    }

    /// Opens the store for reading. An empty file, which a process that was killed early leaves, is made a store
    /// first.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - trace: Records the cost of statements.
    public static func reading(
        _ path: String, trace: StatementTrace? = nil
    ) throws(StorageError) -> RunStore {
        if DurableFile.exists(path), DurableFile.isAbsentOrEmpty(path) { _ = try RunStore(path: path) }
        return try RunStore(readOnly: path, trace: trace)
    }

    /// Calls `body` with a consistent view of the database, unless nobody waits for the result any more.
    func read<Result>(_ body: (Connection) throws -> Result) throws(StorageError) -> Result {
        try checkAwaited()
        return try withReader { queue in
            try queue.read { database in try body(Connection(database: database, trace: trace)) }
        }
    }

    /// Calls `body` with a read connection.
    func withReader<Result>(_ body: (DatabaseQueue) throws -> Result) throws(StorageError) -> Result {
        try readers.withFree { queue, _ in try body(queue) }
    }

    /// Closes the read connections; the next read opens one again.
    func close() throws(StorageError) { try readers.close() }

    /// Calls `body` in a transaction that is on disk when this returns, and is rolled back when it throws.
    func write<Result>(_ body: (Connection) throws -> Result) throws(StorageError) -> Result {
        try withWriter { queue in
            var result: Result?
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    result = try body(Connection(database: database))
                    return .commit
                }
            }
            guard let result else { throw UnreadableContent("the transaction ended without a result") }
            return result
        }
    }

    /// Calls `body` with the only connection that may write, and closes it before the next writer's turn.
    ///
    /// A connection also writes when it closes, because it copies the log into the database. So it is not kept open.
    func withWriter<Result>(
        foreignKeys: Bool = true, _ body: (DatabaseQueue) throws -> Result
    ) throws(StorageError) -> Result {
        guard !isReadOnly else { throw .readOnly(path: path, message: "it was opened for reading") }
        return try lock.hold {
            let queue = try DatabaseQueue(
                path: StoreReader.unambiguous(path),
                configuration: .writer(timeout: lock.timeout, foreignKeys: foreignKeys)
            )
            // The transaction is on disk already; closing only cleans up.
            defer { try? queue.close() }
            return try body(queue)
        }
    }

    /// The version of the file's schema; 0 for an empty or missing file.
    private func schemaVersion() throws(StorageError) -> Int {
        if !isReadOnly, DurableFile.isAbsentOrEmpty(path) { return 0 }
        let header = try read { connection in
            let integer = { (pragma: String) in try connection.statement(pragma).first { $0.int(0) } ?? 0 }
            return (
                application: try integer("PRAGMA application_id"), version: try integer("PRAGMA user_version"),
                objects: try integer("SELECT count(*) FROM sqlite_schema")
            )
        }
        if header.application == 0, header.version == 0, header.objects == 0 { return 0 }
        guard header.application == Schema.applicationID else {
            throw .notAStore(path: path, message: "it belongs to another program")
        }
        guard header.version <= Schema.version else {
            throw .newerVersion(path: path, found: header.version, supported: Schema.version)
        }
        guard header.version > 0 else { throw .corrupted(path: path, message: "schema version \(header.version)") }
        return header.version
    }

    private func create() throws(StorageError) {
        _ = try lock.hold { try DurableFile.create(path) }
        try write { connection in
            // Another process may have been here first.
            guard try connection.statement("PRAGMA user_version").first(row: { $0.int(0) }) == 0 else { return }
            try connection.database.execute(sql: Schema.tables)
            try connection.database.execute(sql: Schema.views)
            try connection.database.execute(sql: "PRAGMA user_version = \(Schema.version)")
            try connection.database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
    }
}
