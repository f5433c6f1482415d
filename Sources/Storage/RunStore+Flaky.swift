public import Foundation
public import RunModel

extension RunStore {
    /// The tests of a project that do not always end in the same way, the worst first.
    ///
    /// Only executions count: a result that was skipped, did not run or was taken over from another run says nothing.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - since: Only runs that began then or later.
    ///   - limit: How many tests at most.
    public func flakiest(project: String, since: Date, limit: Int) throws(StorageError) -> [FlakyTest] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let moment = since.nanosecondsSince1970 ?? .min
            var tests: [Int64: TestID] = [:]
            for query in [PageQuery.troubledTests, .recoveredTests] {
                try connection.statement(query).forEach(project, moment) { tests[$0.integer(0)] = $0.testID(1) }
            }
            let found = try tests.map { row, id in
                let executions = try connection.statement(.executions).all(project, moment, row) { row in
                    FlakyExecution(
                        run: try row.runID(0), branch: row.isNull(1) ? nil : row.bytes(1), tree: row.optionalText(2),
                        isFailure: try Outcome(storedCode: row.integer(3)).isFailure, hasFailedAttempt: row.flag(4)
                    )
                }
                return FlakyTest(id, executions)
            }
            return Array(found.filter(\.isSuspect).sorted { $0.precedes($1) }.prefix(limit))
        }
    }

    /// How long the tests of a project took in its latest full run that executed any.
    public func latestDurations(project: String) throws(StorageError) -> [TestID: Duration] {
        try read { connection in
            guard let project = try connection.project(project),
                let run = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) })
            else { return [:] }
            var durations: [TestID: Duration] = [:]
            try connection.statement(.durationsOfRun).forEach(run) {
                durations[$0.testID(0)] = .nanoseconds($0.integer(4))
            }
            return durations
        }
    }
}
