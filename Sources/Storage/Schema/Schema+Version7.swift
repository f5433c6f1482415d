import GRDB

extension Schema {
    /// Version 7: results in one row a run, coverage as what differs from the run before. Frozen: a change is a new
    /// migration.
    static let version7 = Migration(sql: tables, convert: convert)

    private static let tables = """
        CREATE TABLE run_results (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            roster INTEGER NOT NULL REFERENCES content (id),
            editions INTEGER NOT NULL REFERENCES content (id),
            endings BLOB NOT NULL,
            baseline_roster INTEGER NOT NULL REFERENCES content (id),
            baseline INTEGER NOT NULL REFERENCES content (id),
            durations BLOB NOT NULL
        ) STRICT;

        CREATE TABLE exact_durations (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            body BLOB NOT NULL
        ) STRICT;

        CREATE TABLE notable (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            test INTEGER NOT NULL REFERENCES test (id),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            PRIMARY KEY (run, test)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE coverage (
            id INTEGER PRIMARY KEY,
            base INTEGER REFERENCES coverage (id),
            steps INTEGER NOT NULL CHECK (steps >= 0),
            body BLOB NOT NULL,
            CHECK ((base IS NULL) = (steps = 0)),
            CHECK (base < id)
        ) STRICT;
        CREATE INDEX coverage_by_base ON coverage (base) WHERE base IS NOT NULL;

        ALTER TABLE run ADD COLUMN coverage INTEGER REFERENCES coverage (id);

        ALTER TABLE description RENAME TO old_description;
        CREATE TABLE description (
            test INTEGER NOT NULL REFERENCES test (id),
            edition INTEGER NOT NULL CHECK (edition > 0),
            display_name TEXT,
            path INTEGER REFERENCES content (id),
            line INTEGER,
            utf8_column INTEGER,
            arguments TEXT,
            skip_reason TEXT,
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL),
            PRIMARY KEY (test, edition)
        ) STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE edition_of (
            description INTEGER PRIMARY KEY, edition INTEGER NOT NULL, library INTEGER NOT NULL
        );
        INSERT INTO edition_of
        SELECT
            id,
            CASE WHEN coalesce(display_name, path, arguments, skip_reason) IS NULL THEN 0
                ELSE row_number() OVER (PARTITION BY test ORDER BY id) END,
            library
        FROM old_description;
        INSERT INTO description
        SELECT test, edition, display_name, path, line, utf8_column, arguments, skip_reason
        FROM old_description JOIN edition_of ON edition_of.description = old_description.id
        WHERE edition > 0 ORDER BY test, edition;

        INSERT INTO notable
        SELECT run, test, outcome FROM result
        WHERE outcome IN (1, 2, 3)
            OR EXISTS (SELECT 1 FROM attempt WHERE attempt.run = result.run AND attempt.test = result.test)
            OR EXISTS (SELECT 1 FROM issue WHERE issue.run = result.run AND issue.test = result.test);

        ALTER TABLE attempt RENAME TO old_attempt;
        CREATE TABLE attempt (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            duration INTEGER,
            FOREIGN KEY (run, test) REFERENCES notable (run, test) ON DELETE CASCADE,
            PRIMARY KEY (run, test, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO attempt SELECT * FROM old_attempt;
        DROP TABLE old_attempt;

        ALTER TABLE issue RENAME TO old_issue;
        CREATE TABLE issue (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 0),
            position INTEGER NOT NULL CHECK (position >= 0),
            message INTEGER NOT NULL REFERENCES content (id),
            path INTEGER REFERENCES content (id),
            line INTEGER,
            utf8_column INTEGER,
            is_known INTEGER NOT NULL CHECK (is_known IN (0, 1)),
            is_warning INTEGER NOT NULL CHECK (is_warning IN (0, 1)),
            argument INTEGER REFERENCES content (id),
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL),
            FOREIGN KEY (run, test) REFERENCES notable (run, test) ON DELETE CASCADE,
            PRIMARY KEY (run, test, attempt, position)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO issue SELECT * FROM old_issue;
        DROP TABLE old_issue;

        ALTER TABLE line_counts RENAME TO old_line_counts;
        CREATE TABLE line_counts (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            body BLOB NOT NULL
        ) STRICT;
        """

    @Sendable private static func convert(_ connection: Connection) throws {
        let runs = try connection.statement(
            "SELECT id, project, started_at, identity, unattributed IS NOT NULL FROM run ORDER BY started_at, identity"
        ).all {
            (
                id: $0.integer(0), project: $0.integer(1), moment: $0.integer(2), identity: $0.text(3),
                hasCoverage: $0.flag(4)
            )
        }
        for run in runs {
            let place = ResultStorage.Run(row: run.id, startedAt: run.moment, identity: run.identity)
            try convertResults(of: place, project: run.project, connection)
            guard run.hasCoverage else { continue }
            let records = try connection.statement(oldFiles).all(run.id, row: oldRecord)
            let id = try CoverageStorage(connection)
                .store(records, project: run.project, before: run.moment, identity: run.identity)
            try connection.statement("UPDATE run SET coverage = ?2 WHERE id = ?1").execute(run.id, id)
            try convertCounts(of: run.id, connection)
        }
        try connection.database.execute(
            sql: """
                DROP TABLE edition_of;
                DROP TABLE old_line_counts;
                DROP TABLE run_file;
                DROP TABLE file_coverage;
                DROP TABLE result;
                DROP TABLE old_description;
                """
        )
    }

    /// The newest run of a project keeps its durations as they were.
    private static func convertResults(
        of run: ResultStorage.Run, project: Int64, _ connection: Connection
    ) throws {
        let results = try connection.statement(oldResults).all(run.row) { row in
            let attempts: TestEnding.Attempts = row.flag(6) ? .listed : row.int(4) == 0 ? .none : .one
            let ending = TestEnding(
                outcome: try .init(storedCode: row.integer(3)), library: try .init(storedCode: row.integer(2)),
                attempts: attempts)
            return (test: row.integer(0), edition: row.int(1), ending: ending, duration: row.optionalInteger(5))
        }
        let interning = try Interning(connection, project: project)
        let durations = results.map(\.duration)
        try ResultStorage(connection, interning, project: project).store(
            run,
            StoredResults(
                tests: results.map(\.test), editions: results.map(\.edition), endings: results.map(\.ending.byte),
                durations: durations))
        let newest = try connection.statement(.summariesOfProject).first(project, 1) { $0.integer(0) }
        guard newest == run.row else { return }
        try connection.statement("INSERT INTO exact_durations (run, body) VALUES (?1, ?2)")
            .execute(run.row, ExactDurations.encode(durations))
    }

    private static func convertCounts(of run: Int64, _ connection: Connection) throws {
        let encoded = try connection.statement("SELECT counts FROM old_line_counts WHERE run = ?1 ORDER BY position")
            .all(run) { $0.bytes(0) }
        guard !encoded.isEmpty else { return }
        var counts: [UInt8] = []
        for file in encoded {
            Varint.append(UInt64(file.count), to: &counts)
            counts += file
        }
        try connection.statement("INSERT INTO line_counts (run, body) VALUES (?1, ?2)")
            .execute(run, try Deflate.packed(counts))
    }

    private static let oldResults = """
        SELECT result.test, edition, library, outcome, attempts, duration,
            EXISTS (SELECT 1 FROM attempt WHERE attempt.run = result.run AND attempt.test = result.test)
        FROM result
        JOIN edition_of ON edition_of.description = result.description
        JOIN test ON test.id = result.test
        WHERE run = ?1 ORDER BY module, suite, name, discriminator
        """

    private static let oldFiles = """
        SELECT file, source_hash, line_states, regions_covered, regions_total, functions_covered, functions_total
        FROM run_file JOIN file_coverage ON file_coverage.id = run_file.coverage
        WHERE run = ?1 ORDER BY position
        """

    private static func oldRecord(_ row: StatementRow) throws -> CoverageRecord {
        CoverageRecord(
            file: row.integer(0), sourceHash: row.optionalText(1), numbers: (3..<7).map { row.int($0) },
            states: row.bytes(2))
    }
}
