/// The tables that `kanmon db export` writes: a row for each thing, so that any SQL tool can query them. `docs/queries.md` describes
/// each column.
///
/// Unlike the store they hold nothing that is packed, and names are TEXT.
enum PlainTables {
    /// The version of this form, in SQLite's header.
    static let version = 1

    /// The tables that are filled, the parents first.
    static let tables = """
        CREATE TABLE project (
            name TEXT PRIMARY KEY,
            default_branch TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE run (
            run INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            project TEXT NOT NULL REFERENCES project (name),
            package TEXT NOT NULL,
            branch TEXT,
            commit_hash TEXT,
            tree_hash TEXT,
            subject TEXT,
            author TEXT,
            started_at TEXT NOT NULL,
            seconds REAL NOT NULL,
            decision TEXT NOT NULL,
            exit_status INTEGER NOT NULL,
            trust TEXT NOT NULL,
            speaks_for_branch INTEGER NOT NULL,
            is_partial INTEGER NOT NULL,
            engine TEXT NOT NULL,
            swift_version TEXT,
            host TEXT,
            build_url TEXT,
            delivered_by TEXT,
            passed INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            crashed INTEGER NOT NULL,
            timed_out INTEGER NOT NULL,
            skipped INTEGER NOT NULL,
            known_issue INTEGER NOT NULL,
            not_run INTEGER NOT NULL,
            lines_covered INTEGER,
            lines_total INTEGER
        ) STRICT;

        CREATE TABLE outcome (
            outcome INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            is_failure INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE test (
            test INTEGER PRIMARY KEY,
            project TEXT NOT NULL REFERENCES project (name),
            module TEXT NOT NULL,
            suite TEXT NOT NULL,
            name TEXT NOT NULL,
            file TEXT NOT NULL,
            display_name TEXT,
            suite_display_name TEXT,
            tags TEXT NOT NULL
        ) STRICT;

        CREATE TABLE result (
            run INTEGER NOT NULL REFERENCES run (run),
            test INTEGER NOT NULL REFERENCES test (test),
            outcome INTEGER NOT NULL REFERENCES outcome (outcome),
            seconds REAL,
            attempts INTEGER NOT NULL,
            PRIMARY KEY (run, test)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE issue (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            message TEXT NOT NULL,
            path TEXT,
            line INTEGER,
            argument TEXT,
            is_known INTEGER NOT NULL,
            is_warning INTEGER NOT NULL,
            is_cancellation INTEGER NOT NULL,
            FOREIGN KEY (run, test) REFERENCES result (run, test)
        ) STRICT;

        CREATE TABLE attachment (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            name TEXT NOT NULL,
            path TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            media_type TEXT NOT NULL,
            FOREIGN KEY (run, test) REFERENCES result (run, test)
        ) STRICT;

        CREATE TABLE module (
            run INTEGER NOT NULL REFERENCES run (run),
            module TEXT NOT NULL,
            lines_covered INTEGER NOT NULL,
            lines_total INTEGER NOT NULL,
            regions_covered INTEGER NOT NULL,
            regions_total INTEGER NOT NULL,
            functions_covered INTEGER NOT NULL,
            functions_total INTEGER NOT NULL,
            line_floor REAL,
            not_measurable TEXT,
            PRIMARY KEY (run, module)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE file (
            run INTEGER NOT NULL REFERENCES run (run),
            path TEXT NOT NULL,
            module TEXT NOT NULL,
            lines_covered INTEGER NOT NULL,
            lines_total INTEGER NOT NULL,
            regions_covered INTEGER NOT NULL,
            regions_total INTEGER NOT NULL,
            functions_covered INTEGER NOT NULL,
            functions_total INTEGER NOT NULL,
            is_excluded INTEGER NOT NULL,
            PRIMARY KEY (run, path, module)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE violation (
            run INTEGER NOT NULL REFERENCES run (run),
            rule TEXT NOT NULL,
            title TEXT NOT NULL,
            reason TEXT NOT NULL,
            observed TEXT,
            required TEXT
        ) STRICT;

        CREATE TABLE finding (
            run INTEGER NOT NULL REFERENCES run (run),
            is_gap INTEGER NOT NULL,
            code TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        """

    /// Made when all rows are there, which is faster.
    static let indexesAndViews = """
        CREATE INDEX run_by_project ON run (project, started_at);
        CREATE INDEX result_by_test ON result (test, run);
        CREATE INDEX issue_by_test ON issue (test, run);
        CREATE INDEX attachment_by_test ON attachment (test, run);
        CREATE INDEX violation_by_run ON violation (run);
        CREATE INDEX finding_by_run ON finding (run);

        CREATE VIEW test_result AS
        SELECT run.project, run.id AS run_id, run.run, run.started_at, run.branch, run.commit_hash, run.speaks_for_branch,
            run.is_partial, test.test, test.module, test.suite, test.name, outcome.name AS outcome, outcome.is_failure,
            result.seconds, result.attempts
        FROM result
        JOIN run ON run.run = result.run
        JOIN test ON test.test = result.test
        JOIN outcome ON outcome.outcome = result.outcome;

        CREATE VIEW latest_run AS
        SELECT * FROM run AS latest
        WHERE run = (
            SELECT run.run FROM run JOIN project ON project.name = run.project
            WHERE run.project = latest.project AND is_partial = 0 AND speaks_for_branch = 1
                AND (branch = default_branch OR default_branch IS NULL)
            ORDER BY started_at DESC, id DESC LIMIT 1
        );

        CREATE VIEW module_coverage AS
        SELECT run.project, run.id AS run_id, run.run, run.started_at, run.branch, run.commit_hash, run.speaks_for_branch,
            run.is_partial, module.module, module.lines_covered, module.lines_total,
            100.0 * module.lines_covered / nullif(module.lines_total, 0) AS line_percent, module.line_floor
        FROM module JOIN run ON run.run = module.run
        WHERE module.not_measurable IS NULL;
        """
}
