import Foundation
public import RunModel

extension RunStore {
    /// How many tests are looked at that are not in the latest full run.
    private static let mostOtherTests = 100_000

    /// Calls `body` with the tests of a project and their names until it returns `false`: first those of the latest full run, ordered by
    /// identity, then the first 100,000 of all others, so that however many these are, they hide none of the present tests.
    public func forEachTest(project: String, _ body: (NamedTest) -> Bool) throws(StorageError) {
        try read { connection in
            guard let project = try connection.project(project) else { return }
            let names = try TestNames(of: project, connection)
            for row in names.latest {
                guard body(try names.named(connection.identity(of: row), row: row)) else { return }
            }
            let known = Set(names.latest)
            var isEnough = false
            try connection.statement(.testsOfProject).step(project, known.count + Self.mostOtherTests) { row in
                if !known.contains(row.integer(4)) {
                    isEnough = !body(try names.named(row.testID(0), row: row.integer(4)))
                }
                return !isEnough
            }
        }
    }

    /// A test of a project with its names and tags; `nil` if there is none.
    public func named(_ test: TestID, project: String) throws(StorageError) -> NamedTest? {
        try read { connection in
            guard let project = try connection.project(project), let row = try connection.row(of: test, in: project)
            else { return nil }
            return try TestNames(of: project, connection).named(test, row: row)
        }
    }

    /// The names of tests for readers; tests without such a name are left out.
    public func titles(of tests: [TestID], project: String) throws(StorageError) -> [TestID: String] {
        try names(of: tests, project: project).compactMapValues(\.title)
    }

    /// The names of tests for readers, with their tags; unknown tests are left out.
    public func names(of tests: [TestID], project: String) throws(StorageError) -> [TestID: NamedTest] {
        try read { connection in
            guard !tests.isEmpty, let project = try connection.project(project) else { return [:] }
            let names = try TestNames(of: project, connection)
            var found: [TestID: NamedTest] = [:]
            for test in tests {
                guard let row = try connection.row(of: test, in: project) else { continue }
                found[test] = try names.named(test, row: row)
            }
            return found
        }
    }

    /// The outcomes of a test, the newest run first: in runs that answer for their tree, and in others. The two are limited separately,
    /// so that however many others there are, they keep none of the former out.
    ///
    /// - Parameters:
    ///   - test: The test; identities are compared byte by byte.
    ///   - project: The project it belongs to.
    ///   - id: Only runs before this one; the newest when `nil`.
    ///   - runs: How many runs of either kind are looked at, whether the test is in them or not; fewer where these have very many tests,
    ///     more than 20,000 each of the former, or a million of the others.
    public func history(
        of test: TestID, project: String, before id: RunID? = nil, runs: Int
    ) throws(StorageError) -> [TestHistoryEntry] {
        try history(
            of: test, project: project, before: id, runs: runs, exact: .exact(runs: runs), others: .others)
    }

    /// The same with other budgets for the results of runs.
    func history(
        of test: TestID, project: String, before id: RunID? = nil, runs: Int, exact: ResultBudget, others: ResultBudget
    ) throws(StorageError) -> [TestHistoryEntry] {
        try read { connection in
            guard let project = try connection.project(project), let row = try connection.row(of: test, in: project)
            else { return [] }
            let key = try id.map { try connection.key(of: $0, path: path) }
            var found = try connection.pastRuns(of: project, before: key, areExact: true, limit: runs, exact)
            found += try connection.pastRuns(of: project, before: key, areExact: false, limit: runs, others)
            let newestFirst = found.sorted { ($0.order, $0.run.description) > ($1.order, $1.run.description) }
            let reading = ResultReading(connection)
            return try newestFirst.compactMap { run in
                guard let ending = try reading.endings(of: [row], in: run.row)[0] else { return nil }
                let result = try PackedResult(ending.byte)
                let parts = RunReading(connection)
                let duration = ending.duration.map { Duration.nanoseconds($0) }
                var attempts = try parts.attempts(of: row, in: run.row, result, duration: duration)
                let isTroubled = result.outcome.isFailure || attempts.contains(where: \.outcome.isFailure)
                if isTroubled { try parts.addIssues(to: &attempts, run: run.row, test: row) }
                return TestHistoryEntry(
                    run: run.run, startedAt: Date(nanosecondsSince1970: run.order), commit: run.commit,
                    branch: run.branch, tree: run.tree, isExact: run.isOfBranch,
                    outcome: result.outcome, attempts: attempts.count, duration: duration,
                    message: attempts.flatMap(\.issues).last(where: \.isFailure)?.message,
                    attachments: try parts.attachments(of: row, in: run.row),
                    failedWhenRepeated: try !result.outcome.isFailure && parts.failedWhenRepeated(row, in: run.row)
                )
            }
        }
    }
}

/// A run in which a test may have been executed.
private struct PastRow {
    let row: Int64
    let run: RunID
    let order: Int64
    let commit: String?
    let branch: String?
    let isOfBranch: Bool
    let tree: String?

    init(_ row: StatementRow) throws {
        self.row = row.integer(0)
        run = try row.runID(1)
        order = row.integer(2)
        commit = row.optionalText(3)
        branch = row.optionalText(4)
        isOfBranch = row.flag(5)
        tree = row.optionalText(6)
    }
}

extension Connection {
    /// The newest runs of a project before one that answer for their tree, or all others, as far as a budget goes.
    fileprivate func pastRuns(
        of project: Int64, before key: RunKey?, areExact: Bool, limit: Int, _ budget: ResultBudget
    ) throws -> [PastRow] {
        var budget = budget
        var found: [PastRow] = []
        try statement(.history).step(
            project, key?.startedAt ?? .max, key?.identity ?? "", limit, areExact
        ) { row in
            guard budget.take(row.int(7)) else { return false }
            found.append(try PastRow(row))
            return true
        }
        return found
    }

    func row(of test: TestID, in project: Int64) throws -> Int64? {
        try statement(.testByIdentity).first(
            project, Bytes(test.module), Bytes(test.suite), Bytes(test.name), Bytes(test.discriminator),
            row: { $0.integer(0) }
        )
    }

    func identity(of test: Int64) throws -> TestID {
        guard let id = try statement(.testIdentity).first(test, row: { $0.testID(0) }) else {
            throw UnreadableContent("the test \(test) is missing")
        }
        return id
    }
}
