import Foundation
public import RunModel

extension RunStore {
    /// Every test of a project that was ever stored and what it is called, ordered by identity.
    public func tests(project: String) throws(StorageError) -> [NamedTest] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let rows = try connection.statement(.testsOfProject).all(project) { (id: $0.testID(0), row: $0.integer(4)) }
            let names = try TestNames(of: project, connection)
            return try rows.map { try names.named($0.id, row: $0.row) }
        }
    }

    /// What tests of a project are called for readers; those that have no such name are left out.
    public func titles(of tests: [TestID], project: String) throws(StorageError) -> [TestID: String] {
        try read { connection in
            guard !tests.isEmpty, let project = try connection.project(project) else { return [:] }
            let names = try TestNames(of: project, connection)
            var titles: [TestID: String] = [:]
            for test in tests {
                guard let row = try connection.row(of: test, in: project) else { continue }
                titles[test] = try names.named(test, row: row).title
            }
            return titles
        }
    }

    /// What became of a test, the newest run first.
    ///
    /// - Parameters:
    ///   - test: The test; identities are compared byte by byte.
    ///   - project: The project it belongs to.
    ///   - id: Only runs before this one; the newest when `nil`.
    ///   - runs: How many runs of the project are looked at, whether the test is in them or not.
    public func history(
        of test: TestID, project: String, before id: RunID? = nil, runs: Int
    ) throws(StorageError) -> [TestHistoryEntry] {
        try read { connection in
            guard let project = try connection.project(project), let row = try connection.row(of: test, in: project)
            else { return [] }
            let key = try id.map { try connection.key(of: $0, path: path) }
            let found = try connection.statement(.history)
                .all(project, key?.startedAt ?? .max, key?.identity ?? "", runs) { row in
                    (
                        row: row.integer(0), run: try row.runID(1),
                        startedAt: Date(nanosecondsSince1970: row.integer(2)),
                        commit: row.optionalText(3), branch: row.optionalText(4), isExact: row.flag(5)
                    )
                }
            let reading = ResultReading(connection)
            return try found.compactMap { run in
                guard let ending = try reading.endings(of: [row], in: run.row)[0] else { return nil }
                let result = try PackedResult(ending.byte)
                let parts = RunReading(connection)
                let duration = ending.duration.map { Duration.nanoseconds($0) }
                var attempts = try parts.attempts(of: row, in: run.row, result, duration: duration)
                let isTroubled = result.outcome.isFailure || attempts.contains(where: \.outcome.isFailure)
                if isTroubled { try parts.addIssues(to: &attempts, run: run.row, test: row) }
                return TestHistoryEntry(
                    run: run.run, startedAt: run.startedAt, commit: run.commit, branch: run.branch,
                    isExact: run.isExact,
                    outcome: result.outcome, attempts: attempts.count, duration: duration,
                    message: attempts.flatMap(\.issues).last(where: \.isFailure)?.message
                )
            }
        }
    }

    /// The slowest tests of the project's latest run of all tests that executed any, and how they did before.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - limit: How many tests at most.
    ///   - runs: How many runs of all tests the median is taken over.
    public func slowest(project: String, limit: Int, runs: Int) throws(StorageError) -> [SlowTest] {
        try read { connection in
            guard let project = try connection.project(project),
                let latest = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) })
            else { return [] }
            let reading = ResultReading(connection)
            let results = try reading.results(latest)
            let slowest = try connection.slowest(results, limit: limit)
            var durations = slowest.map { _ in [Int64]() }
            for run in try connection.statement(.latestWholeRuns).all(project, runs, row: { $0.integer(0) }) {
                for (place, ending) in try reading.endings(of: slowest.map(\.row), in: run).enumerated() {
                    if let duration = ending?.duration { durations[place].append(duration) }
                }
            }
            return zip(slowest, durations).map { test, durations in
                let durations = durations.sorted()
                let middle = durations.isEmpty ? test.duration : durations[(durations.count - 1) / 2]
                return SlowTest(
                    id: test.id, latest: .nanoseconds(test.duration), median: .nanoseconds(middle),
                    longest: .nanoseconds(durations.last ?? test.duration), runs: durations.count
                )
            }
        }
    }
}

extension Connection {
    /// The row of a test.
    func row(of test: TestID, in project: Int64) throws -> Int64? {
        try statement(.testByIdentity).first(
            project, Bytes(test.module), Bytes(test.suite), Bytes(test.name), Bytes(test.discriminator),
            row: { $0.integer(0) }
        )
    }

    /// The tests of a run that took longest; of two that took the same, the first.
    fileprivate func slowest(_ results: StoredResults, limit: Int) throws -> [(row: Int64, id: TestID, duration: Int64)]
    {
        let timed = results.indices.compactMap { index in results.durations[index].map { (index: index, duration: $0) }
        }
        let longest = timed.sorted { ($1.duration, $0.index) < ($0.duration, $1.index) }.prefix(limit)
        return try longest.map { (results.tests[$0.index], try identity(of: results.tests[$0.index]), $0.duration) }
    }

    /// The identity of a test.
    func identity(of test: Int64) throws -> TestID {
        guard let id = try statement(.testIdentity).first(test, row: { $0.testID(0) }) else {
            throw UnreadableContent("the test \(test) is missing")
        }
        return id
    }
}
