import GRDB
import Gate
public import RunModel

/// How a stored run came to the server that stored it.
public struct StoredDelivery: Sendable, Hashable {
    /// The name of its project.
    public let project: String
    /// Who delivered it; `nil` for a run that was made or ingested on the server itself.
    public let record: DeliveryRecord?
    /// Where its run directory is, or was; `nil` where none was kept.
    public let runDirectory: String?
}

/// A piece of a database file, compressed as the lists of a run are.
public enum PackedPiece {
    /// The compressed bytes.
    ///
    /// - Returns: `nil` if zlib cannot compress them.
    public static func packed(_ bytes: [UInt8]) -> [UInt8]? { try? Deflate.packed(bytes) }

    /// The bytes that were compressed, at most 256 MiB; `nil` for a damaged piece.
    public static func unpacked(_ bytes: [UInt8]) -> [UInt8]? { try? Deflate.unpacked(bytes) }
}

/// What another server needs of a copy of a store, and what it checks before it trusts one.
extension RunStore {
    /// The version of the schema that this program reads and writes.
    public static var schemaVersion: Int { Schema.version }

    /// How many runs are stored.
    public func runCount() throws(StorageError) -> Int {
        try read { connection in try connection.statement("SELECT count(*) FROM run").first { $0.int(0) } ?? 0 }
    }

    /// Whether any run was made or ingested here, and not delivered.
    public func hasOwnRuns() throws(StorageError) -> Bool {
        try read { connection in
            try connection.statement("SELECT 1 FROM run WHERE delivery IS NULL LIMIT 1").first { _ in true } ?? false
        }
    }

    /// Removes every run that was made or ingested here, with everything that only such runs use; on disk when it returns. What they were
    /// may still lie in unused parts of the file: a `backup` of it has none.
    public func removeOwnRuns() throws(StorageError) {
        _ = try prune(
            isDryRun: false,
            choosing: { connection in
                try connection.statement(
                    "SELECT * FROM run_summary WHERE id IN (SELECT id FROM run WHERE delivery IS NULL)"
                ).all(row: RunSummary.init)
            })
    }

    /// Removes some runs, with everything that only they use; on disk when it returns.
    public func remove(runs ids: Set<RunID>) throws(StorageError) {
        guard !ids.isEmpty else { return }
        _ = try prune(
            isDryRun: false,
            choosing: { connection in try ids.sorted().compactMap { try connection.summary(of: $0) } })
    }

    /// How a run came to the server; `nil` if it is not stored.
    public func delivery(of id: RunID) throws(StorageError) -> StoredDelivery? {
        try read { connection in
            try connection.statement(
                """
                SELECT project.name, delivery, run_directory FROM run JOIN project ON project.id = run.project
                WHERE identity = ?1
                """
            ).first(id.description, row: Self.delivery)
        }
    }

    private static func delivery(_ row: StatementRow) throws -> StoredDelivery {
        let text = row.optionalText(1)
        return StoredDelivery(
            project: row.text(0), record: try text.map { try StoredJSON.decode(DeliveryRecord.self, from: $0) },
            runDirectory: row.optionalText(2))
    }

    /// Says where the run directories of some runs are; on disk when it returns.
    public func place(runDirectories paths: [RunID: String]) throws(StorageError) {
        try write { connection in
            let update = try connection.statement("UPDATE run SET run_directory = ?2 WHERE identity = ?1")
            for (id, path) in paths { try update.execute(id.description, path) }
        }
    }

    /// Whether SQLite finds the pages of the file in order, and its tables, indexes and views are exactly those that this program makes: a
    /// file that somebody else wrote could have triggers.
    public func isSound() throws(StorageError) -> Bool {
        try read { connection in
            let own = try DatabaseQueue().write { database in
                try database.execute(sql: Schema.tables)
                try database.execute(sql: Schema.views)
                return try Self.schema(Connection(database: database))
            }
            guard try Self.schema(connection) == own else { return false }
            return try connection.statement("PRAGMA quick_check(1)").first { $0.text(0) } == "ok"
        }
    }

    private static func schema(_ connection: Connection) throws -> [String] {
        try connection.statement("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
            .all { $0.text(0) }
    }
}
