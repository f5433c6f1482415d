public import Gate
public import RunModel

// A page or command reads the kinds of values that it shows, one after the other. They fit together, as facts, results and coverage of a
// stored run do not change.

extension RunStore {
    /// All of a run, with its own verdict; `nil` if there is none with this id. What it says of other commits, `run(_:)` of a summary
    /// reads.
    ///
    /// It equals the stored run, except that tests have no output, that an executed line has the count 1 in all but a project's
    /// newest run, and that its per-test coverage has a query of its own.
    public func run(_ id: RunID) throws(StorageError) -> JudgedRun? {
        try read { connection in try RunReading(connection).run(id) }
    }

    /// A run as a summary tells of it: of a known tree, as it was judged for that commit.
    public func run(_ told: RunSummary) throws(StorageError) -> JudgedRun? {
        guard let commit = told.judgedCommit else { return try run(told.id) }
        return try run(told.id, for: commit)
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

    /// How a run was made; `nil` if there is none with this id.
    public func facts(of id: RunID) throws(StorageError) -> RunFacts? {
        try read { connection in
            let reading = RunReading(connection)
            return try reading.row(of: id).map { try reading.facts($0) }
        }
    }

    /// What the evidence of a run does not establish.
    public func gaps(of id: RunID) throws(StorageError) -> [Gap] {
        try read { connection in try RunReading(connection).gaps(connection.key(of: id, path: path).id) }
    }

    /// Remarks on a run that do not block.
    public func notes(of id: RunID) throws(StorageError) -> [Note] {
        try read { connection in try RunReading(connection).notes(connection.key(of: id, path: path).id) }
    }

    /// What the compiler said in a run.
    public func diagnostics(of id: RunID) throws(StorageError) -> [BuildDiagnostic] {
        try read { connection in try RunReading(connection).diagnostics(connection.key(of: id, path: path).id) }
    }

    /// The result of every test of a run, ordered by identity.
    ///
    /// - Parameter outcome: Only those that ended so; all when `nil`.
    public func results(of id: RunID, ended outcome: Outcome? = nil) throws(StorageError) -> [TestResult] {
        try read { connection in
            try RunReading(connection).results(connection.key(of: id, path: path).id, ended: outcome)
        }
    }

    /// The results of a run with more than an outcome and a duration (failures, several attempts, issues), ordered by identity.
    public func notableResults(of id: RunID) throws(StorageError) -> [TestResult] {
        try read { connection in try RunReading(connection).notableResults(connection.key(of: id, path: path).id) }
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

    /// The results of some tests in a run, ordered by identity; tests that the run does not have are missing.
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
            var wanted = Set(try ResultReading(connection).tests(ofModule: target, in: run))
            wanted.formUnion(try connection.statement(.failures).all(run) { $0.integer(0) })
            return (summary, try RunReading(connection).results(run, only: wanted))
        }
    }

    /// The file that a test of a run attached, by its path in the run directory; `nil` if there is none.
    public func attachment(at path: String, in id: RunID) throws(StorageError) -> TestAttachment? {
        try read { connection in
            let key = try connection.key(of: id, path: self.path)
            return try connection.statement(.attachmentAtPath).first(key.id, path) { $0.attachment(0) }
        }
    }

    /// The coverage of a run; `nil` when none could be recorded.
    public func coverage(of id: RunID) throws(StorageError) -> Coverage? {
        try read { connection in
            let reading = RunReading(connection)
            guard let row = try reading.row(of: id) else { throw StorageError.unknownRun(path: path, id: id) }
            return try reading.coverage(row)
        }
    }

    /// The coverage of one source file in a run, and whether its lines have their execution counts; `nil` if the run has none.
    ///
    /// - Parameter file: The path relative to the package, compared byte by byte.
    public func coverage(
        of file: String, in id: RunID
    ) throws(StorageError) -> (file: FileCoverage, hasExecutionCounts: Bool)? {
        try read { connection in
            let reading = RunReading(connection)
            guard let row = try reading.row(of: id) else { throw StorageError.unknownRun(path: path, id: id) }
            let known = try connection.statement(.filesAtPath).all(row.id, Bytes(file)) { $0.integer(0) }
            guard !known.isEmpty, let found = try reading.files(row.id, only: Set(known)).first else { return nil }
            return (file: found, hasExecutionCounts: row.hasCounts)
        }
    }
}
