import GRDB
public import Gate
import RunModel

public import struct Foundation.Date

/// Which runs to keep.
public struct Retention: Sendable, Hashable {
    /// This many of the newest runs of each project; at least one is always kept.
    public var newest: Int
    /// And all runs that began at this moment or later.
    public var since: Date?

    package init(newest: Int, since: Date? = nil) { (self.newest, self.since) = (newest, since) }
}

/// The result of removing old runs.
public struct Pruning: Sendable, Hashable {
    /// The runs removed, the newest first.
    public var removed: [RunSummary]
    /// Why the file could not be made smaller; `nil` if it could, or if that was not worth it.
    public var vacuumFailure: StorageError?
}

extension RunStore {
    /// Removes the runs that `retention` does not keep and everything that only they use, then frees the disk space.
    ///
    /// Run directories are not touched; the returned runs name them. Freeing the space needs as much free disk space
    /// as the file has. If that fails, the runs stay removed, and the next call tries again.
    ///
    /// - Parameter isDryRun: Whether to remove nothing and only return the runs.
    public func prune(keeping retention: Retention, isDryRun: Bool) throws(StorageError) -> Pruning {
        try prune(keeping: retention, isDryRun: isDryRun) { try $0.execute(sql: "VACUUM") }
    }

    /// - Parameter vacuum: Frees the unused space of the file.
    func prune(
        keeping retention: Retention, isDryRun: Bool, vacuum: (Database) throws -> Void
    ) throws(StorageError) -> Pruning {
        try prune(isDryRun: isDryRun, vacuum: vacuum) { try Self.expendable($0, retention) }
    }

    /// Removes the chosen runs and everything that only they use, in one transaction; then frees the disk space.
    func prune(
        isDryRun: Bool, vacuum: (Database) throws -> Void = { try $0.execute(sql: "VACUUM") },
        choosing: (Connection) throws -> [RunSummary]
    ) throws(StorageError) -> Pruning {
        if isDryRun { return Pruning(removed: try read(choosing)) }
        // Without foreign keys: their actions would search children for every row. They are checked before the
        // commit.
        return try withWriter(foreignKeys: false) { queue in
            var pruning = Pruning(removed: [])
            try queue.writeWithoutTransaction { database in
                let connection = Connection(database: database)
                try database.inTransaction(.immediate) {
                    pruning.removed = try choosing(connection)
                    if !pruning.removed.isEmpty { try Self.remove(pruning.removed, connection) }
                    return .commit
                }
                guard try Self.isLoose(connection) else { return }
                do { try vacuum(database) } catch { pruning.vacuumFailure = StorageError(error, path: path) }
            }
            return pruning
        }
    }

    /// Whether a tenth of the file or more is unused.
    private static func isLoose(_ connection: Connection) throws -> Bool {
        let free = try connection.statement("PRAGMA freelist_count").first { $0.int(0) } ?? 0
        let all = try connection.statement("PRAGMA page_count").first { $0.int(0) } ?? 0
        return free > 0 && free * 10 >= all
    }

    private static func expendable(_ connection: Connection, _ retention: Retention) throws -> [RunSummary] {
        let since =
            retention.since.map { $0.nanosecondsSince1970 ?? ($0.timeIntervalSince1970 < 0 ? .min : .max) } ?? .max
        return try connection.statement(
            """
            SELECT * FROM run_summary AS summary
            WHERE started_at < ?1 AND id NOT IN (
                SELECT id FROM run WHERE run.project = summary.project
                ORDER BY started_at DESC, identity DESC LIMIT ?2
            )
            ORDER BY started_at DESC, identity DESC
            """
        ).all(since, max(1, retention.newest), row: RunSummary.init)
    }

    private static func remove(_ runs: [RunSummary], _ connection: Connection) throws {
        for run in runs {
            guard let id = try connection.statement(.runKey).first(run.id.description, row: { $0.integer(0) })
            else { continue }
            try removeRows(of: id, connection)
        }
        let files = try coverage(connection)
        try markUsed(connection, files)
        try connection.database.execute(sql: orphans)
        try removeUnusedContent(connection, files)
        if let broken = try connection.statement("PRAGMA foreign_key_check").first(row: { $0.text(0) }) {
            throw UnreadableContent("rows of \(broken) would refer to nothing; nothing was removed")
        }
    }

    /// Removes the rows of one run. Shared rows stay until the next pruning.
    static func removeRows(of run: Int64, _ connection: Connection) throws {
        for removal in removalsOfRun { try connection.statement(removal).execute(run) }
    }

    /// In such an order that no row refers to a removed one.
    private static let removalsOfRun = [
        "DELETE FROM attachment WHERE run = ?1", "DELETE FROM selection_trial WHERE run = ?1",
        "DELETE FROM probation_failure WHERE run = ?1",
        "DELETE FROM issue WHERE run = ?1",
        "DELETE FROM attempt WHERE run = ?1",
        "DELETE FROM notable WHERE run = ?1",
        "DELETE FROM run_results WHERE run = ?1",
        "DELETE FROM line_counts WHERE run = ?1",
        "DELETE FROM run_shard WHERE run = ?1",
        "DELETE FROM diagnostic WHERE run = ?1",
        "DELETE FROM finding WHERE run = ?1",
        "DELETE FROM step WHERE run = ?1",
        "DELETE FROM verdict WHERE run = ?1",
        "DELETE FROM run WHERE id = ?1",
    ]

    private static let orphans = """
        DELETE FROM test_list WHERE content NOT IN (SELECT test_list FROM run_results);
        DELETE FROM description WHERE (test, edition) NOT IN (SELECT test, edition FROM used_edition);
        DELETE FROM test WHERE id NOT IN (SELECT test FROM used_edition);
        DROP TABLE used_edition;
        DELETE FROM source_file WHERE id NOT IN (SELECT id FROM used_file);
        DROP TABLE used_file;
        DELETE FROM project_sender WHERE project NOT IN (SELECT project FROM run);
        DELETE FROM commit_parent WHERE project NOT IN (SELECT project FROM run);
        DELETE FROM project WHERE id NOT IN (SELECT project FROM run);
        DELETE FROM culprit WHERE project NOT IN (SELECT name FROM project);
        """

    /// The rows that the coverage and per-test coverage of all runs refer to: source files, their coverage, and tests.
    private struct Coverage {
        var files: Set<Int64> = []
        var contents: Set<Int64> = []
    }

    private static func coverage(_ connection: Connection) throws -> Coverage {
        var coverage = Coverage()
        let lists = try connection.statement("SELECT DISTINCT coverage FROM run WHERE coverage IS NOT NULL")
            .all { $0.integer(0) }
        for list in lists {
            for entry in try CoverageList.decode(connection.bytes(list)) {
                coverage.files.insert(entry.file)
                coverage.contents.insert(entry.content)
            }
        }
        let maps = try connection.statement("SELECT DISTINCT test_map FROM run WHERE test_map IS NOT NULL")
            .all { $0.integer(0) }
        for map in maps {
            coverage.contents.insert(map)
            for entry in try TestMapList.decode(connection.bytes(map)).entries {
                coverage.contents.formUnion([entry.path, entry.functions])
            }
        }
        return coverage
    }

    /// Marks the rows that lists refer to, which SQL cannot read: tests and their descriptions, and source files.
    private static func markUsed(_ connection: Connection, _ coverage: Coverage) throws {
        try connection.database.execute(
            sql: """
                CREATE TEMP TABLE used_edition (test INTEGER, edition INTEGER, PRIMARY KEY (test, edition)) WITHOUT ROWID;
                CREATE TEMP TABLE used_file (id INTEGER PRIMARY KEY);
                """
        )
        let markEdition = try connection.statement("INSERT OR IGNORE INTO used_edition VALUES (?1, ?2)")
        let lists = try connection.statement("SELECT DISTINCT test_list, editions FROM run_results")
            .all { (testList: $0.integer(0), editions: $0.integer(1)) }
        for list in lists {
            let tests = try TestList.decode(tests: connection.bytes(list.testList))
            let editions = try TestList.decode(editions: connection.bytes(list.editions))
            for (test, edition) in zip(tests, editions) { try markEdition.execute(test, edition) }
        }
        let markFile = try connection.statement("INSERT OR IGNORE INTO used_file VALUES (?1)")
        for file in coverage.files { try markFile.execute(file) }
    }

    private static func removeUnusedContent(_ connection: Connection, _ coverage: Coverage) throws {
        try connection.database.execute(
            sql: """
                CREATE TEMP TABLE used (id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO used SELECT toolchain FROM run WHERE toolchain IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT facts FROM run;
                INSERT OR IGNORE INTO used SELECT selection FROM run WHERE selection IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT machine FROM run WHERE machine IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT origin FROM run WHERE origin IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT inputs FROM run WHERE inputs IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT unattributed FROM run WHERE unattributed IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT coverage FROM run WHERE coverage IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT policy FROM verdict;
                INSERT OR IGNORE INTO used SELECT statuses FROM verdict;
                INSERT OR IGNORE INTO used SELECT owners FROM verdict WHERE owners IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT test_list FROM run_results;
                INSERT OR IGNORE INTO used SELECT editions FROM run_results;
                INSERT OR IGNORE INTO used SELECT path FROM description WHERE path IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT message FROM diagnostic;
                INSERT OR IGNORE INTO used SELECT path FROM diagnostic WHERE path IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT message FROM issue;
                INSERT OR IGNORE INTO used SELECT path FROM issue WHERE path IS NOT NULL;
                INSERT OR IGNORE INTO used SELECT argument FROM issue WHERE argument IS NOT NULL;
                """
        )
        let mark = try connection.statement("INSERT OR IGNORE INTO used VALUES (?1)")
        for content in coverage.contents { try mark.execute(content) }
        // Arguments of steps are lists of texts, which SQL cannot read.
        try connection.statement("SELECT arguments FROM step").forEach { row in
            for id in try Varint.list(row.bytes(0)) { try mark.execute(Int64(bitPattern: id)) }
        }
        try connection.database.execute(
            sql: """
                DELETE FROM content WHERE id NOT IN (SELECT id FROM used);
                DROP TABLE used;
                """
        )
    }
}
