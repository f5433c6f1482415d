/// The schema of the store. `docs/storage.md` explains every table.
enum Schema {
    /// Marks a file as Kanmon's in SQLite's header: "KNMN".
    static let applicationID = 0x4B4E_4D4E

    /// The version of a file, in SQLite's header; 0 is a file that is still empty.
    static let version = 1

    /// Version 1, which is frozen once it is released: a change is a new version, and a migration to it.
    ///
    /// Columns that identify something by a name from data are BLOBs, so that names are compared by their bytes.
    static let tables = """
        CREATE TABLE project (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            default_branch BLOB
        ) STRICT;

        CREATE TABLE project_sender (
            token TEXT NOT NULL,
            project INTEGER NOT NULL REFERENCES project (id) ON DELETE CASCADE,
            PRIMARY KEY (token, project)
        ) STRICT, WITHOUT ROWID;

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
            folder BLOB,
            branch BLOB,
            subject TEXT,
            author TEXT,
            attempt TEXT,
            made_commit TEXT,
            is_dirty INTEGER CHECK (is_dirty IN (0, 1)),
            is_exact INTEGER NOT NULL CHECK (is_exact IN (0, 1)),
            is_of_branch INTEGER NOT NULL CHECK (is_of_branch IN (0, 1)),
            started_at INTEGER NOT NULL,
            began_at INTEGER NOT NULL,
            duration INTEGER NOT NULL,
            engine TEXT NOT NULL,
            toolchain INTEGER REFERENCES content (id),
            selection INTEGER REFERENCES content (id),
            is_partial INTEGER NOT NULL CHECK (is_partial IN (0, 1)),
            machine INTEGER REFERENCES content (id),
            origin INTEGER REFERENCES content (id),
            inputs INTEGER REFERENCES content (id),
            source_digest TEXT,
            facts INTEGER NOT NULL REFERENCES content (id),
            unattributed INTEGER REFERENCES content (id),
            coverage INTEGER REFERENCES content (id),
            test_map INTEGER REFERENCES content (id),
            run_directory TEXT,
            delivery TEXT,
            decision TEXT NOT NULL CHECK (decision IN ('passed', 'failed', 'undecided')),
            exit_status INTEGER NOT NULL CHECK (exit_status BETWEEN 0 AND 255),
            passed INTEGER NOT NULL CHECK (passed >= 0),
            failed INTEGER NOT NULL CHECK (failed >= 0),
            crashed INTEGER NOT NULL CHECK (crashed >= 0),
            timed_out INTEGER NOT NULL CHECK (timed_out >= 0),
            skipped INTEGER NOT NULL CHECK (skipped >= 0),
            known_issue INTEGER NOT NULL CHECK (known_issue >= 0),
            not_run INTEGER NOT NULL CHECK (not_run >= 0),
            recovered INTEGER NOT NULL CHECK (recovered >= 0),
            lines_covered INTEGER CHECK (lines_covered >= 0),
            lines_total INTEGER CHECK (lines_total >= lines_covered),
            CHECK ((lines_covered IS NULL) = (lines_total IS NULL)),
            CHECK ((unattributed IS NULL) = (lines_total IS NULL)),
            CHECK ((coverage IS NULL) = (lines_total IS NULL)),
            CHECK (is_dirty IS NOT NULL OR coalesce(commit_id, tree_id, folder, branch, subject, author) IS NULL)
        ) STRICT;
        CREATE INDEX run_by_project ON run (
            project, started_at, identity, decision, duration, lines_covered, lines_total, branch, author
        );
        CREATE INDEX run_by_identity ON run (project, identity);
        CREATE INDEX run_by_branch ON run (project, branch, started_at, identity);
        CREATE INDEX run_by_trust ON run (project, is_exact, started_at, identity);
        CREATE INDEX run_by_start ON run (started_at, identity);
        CREATE INDEX run_by_commit ON run (project, commit_id);
        CREATE INDEX run_by_made_commit ON run (project, made_commit) WHERE made_commit IS NOT NULL;
        CREATE INDEX run_by_tail ON run (project, tail);
        CREATE INDEX run_by_tree ON run (tree_id, project);
        CREATE INDEX run_by_test_map ON run (project, started_at, identity) WHERE test_map IS NOT NULL;
        CREATE INDEX run_by_recovery ON run (project, started_at, identity)
        WHERE is_exact = 1 AND decision = 'passed' AND recovered > 0;
        CREATE INDEX run_by_sources ON run (project, source_digest, started_at, identity);

        CREATE TABLE verdict (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            project INTEGER NOT NULL REFERENCES project (id),
            is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
            is_exact INTEGER NOT NULL CHECK (is_exact IN (0, 1)),
            is_state INTEGER NOT NULL CHECK (is_state IN (0, 1)),
            commit_id TEXT NOT NULL,
            branch BLOB,
            subject TEXT,
            author TEXT,
            attempt TEXT NOT NULL,
            base TEXT NOT NULL,
            place INTEGER NOT NULL,
            judged_at INTEGER NOT NULL,
            decision TEXT NOT NULL CHECK (decision IN ('passed', 'failed', 'undecided')),
            exit_status INTEGER NOT NULL CHECK (exit_status BETWEEN 0 AND 255),
            allowed INTEGER CHECK (allowed > 0),
            lines_covered INTEGER CHECK (lines_covered >= 0),
            lines_total INTEGER CHECK (lines_total >= lines_covered),
            body BLOB NOT NULL,
            broken TEXT,
            policy INTEGER NOT NULL REFERENCES content (id),
            statuses INTEGER NOT NULL REFERENCES content (id),
            tallies BLOB NOT NULL,
            owners INTEGER REFERENCES content (id),
            quarantine_ends TEXT,
            CHECK ((lines_covered IS NULL) = (lines_total IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX verdict_own ON verdict (run) WHERE is_own = 1;
        CREATE UNIQUE INDEX verdict_by_run ON verdict (run, commit_id, base, coalesce(branch, x''), attempt);
        CREATE INDEX verdict_by_project ON verdict (project, place, judged_at, id) WHERE is_state = 1;
        CREATE INDEX verdict_by_branch ON verdict (project, branch, place, judged_at, id) WHERE is_state = 1;
        CREATE INDEX verdict_by_commit ON verdict (project, commit_id, judged_at);
        CREATE INDEX verdict_by_trusted_commit ON verdict (project, commit_id, judged_at) WHERE is_exact = 1;

        CREATE TABLE commit_parent (
            project INTEGER NOT NULL REFERENCES project (id),
            child TEXT NOT NULL,
            parent TEXT NOT NULL,
            PRIMARY KEY (project, parent, child)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX commit_parent_by_child ON commit_parent (project, child);

        CREATE TABLE run_shard (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            shard TEXT NOT NULL CHECK (length(shard) = 36),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX run_shard_by_shard ON run_shard (shard);

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
            test INTEGER NOT NULL REFERENCES test (id),
            edition INTEGER NOT NULL CHECK (edition > 0),
            display_name TEXT,
            suite_display_name TEXT,
            tags TEXT,
            path INTEGER REFERENCES content (id),
            line INTEGER,
            utf8_column INTEGER,
            arguments TEXT,
            skip_reason TEXT,
            digest INTEGER NOT NULL,
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL),
            PRIMARY KEY (test, edition)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX description_by_digest ON description (test, digest);

        CREATE TABLE test_list (
            project INTEGER NOT NULL REFERENCES project (id),
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            content INTEGER NOT NULL REFERENCES content (id),
            PRIMARY KEY (project, digest)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE run_results (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            test_list INTEGER NOT NULL REFERENCES content (id),
            editions INTEGER NOT NULL REFERENCES content (id),
            endings BLOB NOT NULL,
            durations BLOB NOT NULL
        ) STRICT;

        CREATE TABLE notable (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            test INTEGER NOT NULL REFERENCES test (id),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            PRIMARY KEY (run, test)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE attempt (
            run INTEGER NOT NULL,
            test INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
            duration INTEGER,
            FOREIGN KEY (run, test) REFERENCES notable (run, test) ON DELETE CASCADE,
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
            is_cancellation INTEGER NOT NULL CHECK (is_cancellation IN (0, 1)),
            argument INTEGER REFERENCES content (id),
            CHECK ((path IS NULL) = (line IS NULL)),
            CHECK (path IS NOT NULL OR utf8_column IS NULL),
            FOREIGN KEY (run, test) REFERENCES notable (run, test) ON DELETE CASCADE,
            PRIMARY KEY (run, test, attempt, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE attachment (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            test INTEGER NOT NULL REFERENCES test (id),
            position INTEGER NOT NULL CHECK (position >= 0),
            name TEXT NOT NULL,
            path TEXT NOT NULL,
            bytes INTEGER NOT NULL CHECK (bytes >= 0),
            PRIMARY KEY (run, test, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE selection_trial (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            base TEXT NOT NULL CHECK (length(base) = 36),
            tests INTEGER NOT NULL CHECK (tests > 0),
            deselected INTEGER NOT NULL CHECK (deselected BETWEEN 0 AND tests),
            time INTEGER NOT NULL,
            deselected_time INTEGER NOT NULL,
            failures INTEGER NOT NULL CHECK (failures BETWEEN 0 AND tests),
            missed INTEGER NOT NULL CHECK (missed BETWEEN 0 AND failures)
        ) STRICT;

        CREATE TABLE culprit (
            id INTEGER PRIMARY KEY,
            project BLOB NOT NULL,
            test BLOB NOT NULL,
            good TEXT NOT NULL,
            bad TEXT NOT NULL,
            commit_id TEXT NOT NULL,
            found_at INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX culprit_by_test ON culprit (project, test, good, bad);
        CREATE INDEX culprit_by_commit ON culprit (project, commit_id, found_at, id);
        CREATE INDEX culprit_by_time ON culprit (project, found_at, id);

        CREATE TABLE probation_failure (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            test INTEGER NOT NULL REFERENCES test (id),
            failures INTEGER NOT NULL CHECK (failures > 0),
            repetitions INTEGER NOT NULL CHECK (repetitions >= failures),
            PRIMARY KEY (run, test)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE source_file (
            id INTEGER PRIMARY KEY,
            project INTEGER NOT NULL REFERENCES project (id),
            module BLOB NOT NULL,
            path BLOB NOT NULL,
            UNIQUE (project, path, module)
        ) STRICT;

        CREATE TABLE line_counts (
            run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
            body BLOB NOT NULL
        ) STRICT;
        """
}
