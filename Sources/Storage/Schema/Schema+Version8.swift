import GRDB
import Gate

extension Schema {
    /// Version 8: verdicts without what runs share, and without a row for every module. Frozen: a change is a new
    /// migration.
    static let version8 = Migration(sql: tables, convert: convert)

    private static let tables = """
        ALTER TABLE verdict RENAME TO old_verdict;
        CREATE TABLE verdict (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            body TEXT NOT NULL,
            policy INTEGER NOT NULL REFERENCES content (id),
            standings INTEGER NOT NULL REFERENCES content (id),
            tallies BLOB NOT NULL
        ) STRICT;
        DROP TABLE run_module;
        """

    @Sendable private static func convert(_ connection: Connection) throws {
        let interning = try Interning(connection, project: 0)
        let runs = try connection.statement("SELECT run FROM old_verdict ORDER BY run").all { $0.integer(0) }
        for run in runs {
            let body = try connection.statement("SELECT body FROM old_verdict WHERE run = ?1").first(run) { $0.text(0) }
            let verdict = try StoredJSON.decode(Verdict.self, from: body ?? "")
            try VerdictStorage(connection).store(verdict, run: run, interning)
        }
        try connection.database.execute(sql: "DROP TABLE old_verdict")
    }
}
