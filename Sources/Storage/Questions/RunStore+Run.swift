public import Gate
public import RunModel

extension RunStore {
    /// A run with its verdict; `nil` if there is none with this id.
    ///
    /// It equals the stored run, except that tests have no output, that an executed line has the count 1 in all but a project's
    /// newest run, and that its test map is asked for on its own.
    public func run(_ id: RunID) throws(StorageError) -> JudgedRun? {
        try read { connection in try RunReading(connection).run(id) }
    }

    /// A run as it was judged for a commit, by its full hash; `nil` if it was not.
    public func run(_ id: RunID, for commit: String) throws(StorageError) -> JudgedRun? {
        try read { connection in
            guard var stored = try RunReading(connection).run(id),
                let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) }),
                let found = try VerdictStorage(connection).verdict(key, for: commit)
            else { return nil }
            stored.verdict = found.0
            stored.run.revision?.commit = commit
            stored.run.revision?.branch = found.branch
            stored.run.revision?.subject = found.subject
            stored.run.revision?.author = found.author
            return stored
        }
    }

    /// The failed, crashed and timed-out tests of a run, ordered by identity.
    ///
    /// - Parameter limit: How many at most, the first; all when `nil`.
    public func failures(of id: RunID, limit: Int? = nil) throws(StorageError) -> [TestResult] {
        try read { connection in
            let key = try connection.key(of: id, path: path)
            let failed = try connection.statement(.failures).all(key.id) { $0.integer(0) }
            return failed.isEmpty ? [] : try RunReading(connection).results(key.id, only: Set(failed), most: limit)
        }
    }

    /// The results of some tests in a run, ordered by identity; tests that it has not are missing.
    public func results(of tests: [TestID], in id: RunID) throws(StorageError) -> [TestResult] {
        try read { connection in
            let key = try connection.key(of: id, path: path)
            let rows = try tests.compactMap { try connection.row(of: $0, in: key.project) }
            return rows.isEmpty ? [] : try RunReading(connection).results(key.id, only: Set(rows))
        }
    }

    /// The tests of a target in a run, and the failed ones of all others, ordered by identity; `nil` if there is no such run.
    public func tests(
        of id: RunID, target: String
    ) throws(StorageError) -> (run: RunSummary, tests: [TestResult])? {
        try read { connection in
            guard let summary = try connection.summary(of: id) else { return nil }
            let run = try connection.key(of: id, path: path).id
            let wanted = try [
                connection.statement(.testsOfModule).all(run, Bytes(target)) { $0.integer(0) },
                connection.statement(.failures).all(run) { $0.integer(0) },
            ]
            return (summary, try RunReading(connection).results(run, only: Set(wanted.joined())))
        }
    }

    /// What a test of a run attached at a path of the run directory; `nil` if there is nothing.
    public func attachment(at path: String, in id: RunID) throws(StorageError) -> TestAttachment? {
        try read { connection in
            let key = try connection.key(of: id, path: self.path)
            return try connection.statement(.attachmentAtPath).first(key.id, path) { $0.attachment(0) }
        }
    }

    /// The coverage of one source file in a run; `nil` if the run has none.
    ///
    /// - Parameter file: The path relative to the package, compared byte by byte.
    public func coverage(of file: String, in id: RunID) throws(StorageError) -> FileCoverage? {
        try read { connection in
            let key = try connection.key(of: id, path: path)
            let known = try connection.statement(.filesAtPath).all(key.id, Bytes(file)) { $0.integer(0) }
            return known.isEmpty ? nil : try RunReading(connection).files(key.id, only: Set(known)).first
        }
    }
}
