import Foundation
public import RunModel

extension RunStore {
    /// Every test of a project that was ever stored, ordered by identity.
    public func tests(project: String) throws(StorageError) -> [TestID] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            return try connection.statement(.testsOfProject).all(project) { $0.testID(0) }
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
            return try connection.statement(.history)
                .all(project, key?.startedAt ?? .max, key?.identity ?? "", runs, row) { row in
                    TestHistoryEntry(
                        run: try row.runID(0), startedAt: Date(nanosecondsSince1970: row.integer(1)),
                        commit: row.optionalText(2), branch: row.optionalText(3),
                        outcome: try Outcome(storedCode: row.integer(4)), attempts: row.int(5),
                        duration: row.optionalDuration(6)
                    )
                }
        }
    }

    /// The slowest tests of the project's latest run that executed any, and how they did before.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - limit: How many tests at most.
    ///   - runs: How many runs the median is taken over.
    public func slowest(project: String, limit: Int, runs: Int) throws(StorageError) -> [SlowTest] {
        try read { connection in
            guard let project = try connection.project(project),
                let latest = try connection.statement(.latestRunWithResults).first(project, row: { $0.integer(0) })
            else { return [] }
            let slowest = try connection.statement(.slowestOfRun).all(latest, limit) { row in
                (row: row.integer(0), id: row.testID(1), duration: row.integer(5))
            }
            return try slowest.map { test in
                let durations = try connection.statement(.durationsOfTest)
                    .all(project, runs, test.row) { $0.integer(0) }.sorted()
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
}
