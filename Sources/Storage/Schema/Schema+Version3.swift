extension Schema {
    /// Version 3: what a run ran on. Frozen: a change is a new migration.
    static let version3: Migration = "ALTER TABLE run ADD COLUMN machine INTEGER REFERENCES content (id);"
}
