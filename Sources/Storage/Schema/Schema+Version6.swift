extension Schema {
    /// Version 6: of which runs a run was merged. Frozen: a change is a new migration.
    ///
    /// The shards need not be in the store: they may have run elsewhere, or come later.
    static let version6: Migration = """
        CREATE TABLE run_shard (
            run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            shard TEXT NOT NULL CHECK (length(shard) = 36),
            PRIMARY KEY (run, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX run_shard_by_shard ON run_shard (shard);
        """
}
