extension Schema {
    /// Version 9: the lists of tests by a digest of their identities. Frozen: a change is a new migration.
    ///
    /// A list that was stored before comes in here with the next run that has it.
    static let version9: Migration = """
        CREATE TABLE roster (
            project INTEGER NOT NULL REFERENCES project (id),
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            content INTEGER NOT NULL REFERENCES content (id),
            PRIMARY KEY (project, digest)
        ) STRICT, WITHOUT ROWID;
        """
}
