extension Schema {
    /// Version 1. Frozen: a change is a new migration. `docs/storage.md` explains every table.
    ///
    /// Columns that identify something by a name from data are BLOBs, so that names are compared by their bytes.
    static let version1: Migration = """
        CREATE TABLE project (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            digest INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX content_by_digest ON content (digest);

        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE CHECK (length(identity) = 36),
            tail TEXT NOT NULL CHECK (length(tail) = 12),
            project INTEGER NOT NULL REFERENCES project (id),
            package TEXT NOT NULL,
            commit_id TEXT,
            tree_id TEXT,
            branch BLOB,
            subject TEXT,
            is_dirty INTEGER CHECK (is_dirty IN (0, 1)),
            started_at INTEGER NOT NULL,
            duration INTEGER NOT NULL,
            engine TEXT NOT NULL,
            toolchain INTEGER REFERENCES content (id),
            modules INTEGER NOT NULL REFERENCES content (id),
            unattributed INTEGER REFERENCES content (id),
            run_directory TEXT,
            decision TEXT NOT NULL CHECK (decision IN ('passed', 'failed', 'undecided')),
            exit_status INTEGER NOT NULL CHECK (exit_status BETWEEN 0 AND 255),
            passed INTEGER NOT NULL CHECK (passed >= 0),
            failed INTEGER NOT NULL CHECK (failed >= 0),
            crashed INTEGER NOT NULL CHECK (crashed >= 0),
            timed_out INTEGER NOT NULL CHECK (timed_out >= 0),
            skipped INTEGER NOT NULL CHECK (skipped >= 0),
            known_issue INTEGER NOT NULL CHECK (known_issue >= 0),
            not_run INTEGER NOT NULL CHECK (not_run >= 0),
            lines_covered INTEGER CHECK (lines_covered >= 0),
            lines_total INTEGER CHECK (lines_total >= lines_covered),
            CHECK ((lines_covered IS NULL) = (lines_total IS NULL)),
            CHECK ((unattributed IS NULL) = (lines_total IS NULL)),
            CHECK (is_dirty IS NOT NULL OR coalesce(commit_id, tree_id, branch, subject) IS NULL)
        ) STRICT;
        CREATE INDEX run_by_project ON run (project, started_at, identity);
        CREATE INDEX run_by_branch ON run (project, branch, started_at, identity);
        CREATE INDEX run_by_start ON run (started_at, identity);
        CREATE INDEX run_by_commit ON run (commit_id);
        CREATE INDEX run_by_tail ON run (tail);

        CREATE VIEW run_summary AS
        SELECT
            run.id, run.identity, project.name, run.package,
            run.commit_id, run.tree_id, run.branch, run.subject, run.is_dirty,
            run.started_at, run.duration, run.engine, run.decision, run.exit_status,
            run.passed, run.failed, run.crashed, run.timed_out, run.skipped, run.known_issue, run.not_run,
            run.lines_covered, run.lines_total, run.run_directory,
            run.project, run.tail
        FROM run JOIN project ON project.id = run.project;

        CREATE TABLE verdict (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            body TEXT NOT NULL
        ) STRICT;

        CREATE TABLE run_module (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            name BLOB NOT NULL,
            is_measured INTEGER NOT NULL CHECK (is_measured IN (0, 1)),
            lines_covered INTEGER NOT NULL CHECK (lines_covered >= 0),
            lines_total INTEGER NOT NULL CHECK (lines_total >= lines_covered),
            regions_covered INTEGER NOT NULL CHECK (regions_covered >= 0),
            regions_total INTEGER NOT NULL CHECK (regions_total >= regions_covered),
            functions_covered INTEGER NOT NULL CHECK (functions_covered >= 0),
            functions_total INTEGER NOT NULL CHECK (functions_total >= functions_covered),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE step (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            kind TEXT NOT NULL,
            arguments BLOB NOT NULL,
            duration INTEGER NOT NULL,
            exited INTEGER,
            signaled INTEGER,
            is_timed_out INTEGER NOT NULL CHECK (is_timed_out IN (0, 1)),
            CHECK ((exited IS NULL) <> (signaled IS NULL)),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE finding (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            is_gap INTEGER NOT NULL CHECK (is_gap IN (0, 1)),
            position INTEGER NOT NULL CHECK (position >= 0),
            code TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL,
            PRIMARY KEY (run, is_gap, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE diagnostic (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            severity TEXT NOT NULL,
            message INTEGER NOT NULL REFERENCES content (id),
            path INTEGER REFERENCES content (id),
            line INTEGER,
            utf8_column INTEGER,
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE test (
            id INTEGER PRIMARY KEY,
            project INTEGER NOT NULL REFERENCES project (id),
            module BLOB NOT NULL,
            suite BLOB NOT NULL,
            name BLOB NOT NULL,
            discriminator BLOB NOT NULL,
            UNIQUE (project, module, suite, name, discriminator)
        ) STRICT;

        CREATE TABLE description (
            id INTEGER PRIMARY KEY,
            test INTEGER NOT NULL REFERENCES test (id),
            digest INTEGER NOT NULL,
            library INTEGER NOT NULL CHECK (library BETWEEN 0 AND 2),
            display_name TEXT,
            path INTEGER REFERENCES content (id),
            line INTEGER,
            utf8_column INTEGER,
            arguments TEXT,
            skip_reason TEXT,
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL)
        ) STRICT;
        CREATE INDEX description_by_digest ON description (test, digest);

        CREATE TABLE result (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            test INTEGER NOT NULL REFERENCES test (id),
            description INTEGER NOT NULL REFERENCES description (id),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            duration INTEGER,
            CHECK (duration IS NULL OR attempts > 0),
            PRIMARY KEY (run, test)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX result_failed ON result (run) WHERE outcome IN (1, 2, 3);

        CREATE TABLE attempt (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            duration INTEGER,
            FOREIGN KEY (run, test) REFERENCES result (run, test) ON DELETE CASCADE,
            PRIMARY KEY (run, test, number)
        ) STRICT, WITHOUT ROWID;

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
            FOREIGN KEY (run, test) REFERENCES result (run, test) ON DELETE CASCADE,
            PRIMARY KEY (run, test, attempt, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE source_file (
            id INTEGER PRIMARY KEY,
            project INTEGER NOT NULL REFERENCES project (id),
            module BLOB NOT NULL,
            path BLOB NOT NULL,
            UNIQUE (project, path, module)
        ) STRICT;

        CREATE TABLE file_coverage (
            id INTEGER PRIMARY KEY,
            file INTEGER NOT NULL REFERENCES source_file (id),
            digest INTEGER NOT NULL,
            source_hash TEXT,
            line_states BLOB NOT NULL,
            lines_covered INTEGER NOT NULL CHECK (lines_covered >= 0),
            lines_total INTEGER NOT NULL CHECK (lines_total >= lines_covered),
            regions_covered INTEGER NOT NULL,
            regions_total INTEGER NOT NULL,
            functions_covered INTEGER NOT NULL,
            functions_total INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX file_coverage_by_digest ON file_coverage (file, digest);

        CREATE TABLE run_file (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            coverage INTEGER NOT NULL REFERENCES file_coverage (id),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE line_counts (
            run INTEGER NOT NULL,
            position INTEGER NOT NULL,
            counts BLOB NOT NULL,
            FOREIGN KEY (run, position) REFERENCES run_file (run, position) ON DELETE CASCADE,
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;
        """
}
