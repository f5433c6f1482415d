extension Schema {
    /// Version 4: the runs of one tree are found at once. Frozen: a change is a new migration.
    static let version4: Migration = "CREATE INDEX run_by_tree ON run (tree_id, project);"
}
