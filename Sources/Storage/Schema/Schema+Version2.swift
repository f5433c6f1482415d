extension Schema {
    /// Version 2: what a run was asked to run. Frozen: a change is a new migration.
    static let version2: Migration = """
        ALTER TABLE run ADD COLUMN selection INTEGER REFERENCES content (id);
        ALTER TABLE run ADD COLUMN is_partial INTEGER NOT NULL DEFAULT 0 CHECK (is_partial IN (0, 1));

        DROP VIEW run_summary;
        CREATE VIEW run_summary AS
        SELECT
            run.id, run.identity, project.name, run.package,
            run.commit_id, run.tree_id, run.branch, run.subject, run.is_dirty,
            run.started_at, run.duration, run.engine, run.decision, run.exit_status,
            run.passed, run.failed, run.crashed, run.timed_out, run.skipped, run.known_issue, run.not_run,
            run.lines_covered, run.lines_total, run.run_directory, run.is_partial,
            run.project, run.tail
        FROM run JOIN project ON project.id = run.project;
        """
}
