extension Schema {
    /// Version 5: what a run depends on beside its tree. Frozen: a change is a new migration.
    static let version5: Migration = "ALTER TABLE run ADD COLUMN inputs INTEGER REFERENCES content (id);"
}
