public import Foundation
public import RunModel

extension RunStore {
    /// The tests of a project whose outcome varies, the worst first.
    ///
    /// Only executions count: a test that was skipped, did not run or has a result from another run does not.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - since: Only runs that began then or later.
    ///   - limit: How many tests at most.
    ///   - tag: Only tests with this tag; all when `nil`.
    public func flakiest(
        project: String, since: Date, limit: Int, tag: String? = nil
    ) throws(StorageError) -> [FlakyTest] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let moment = since.nanosecondsSince1970 ?? .min
            var tests: [Int64: TestID] = [:]
            for query in [PageQuery.troubledTests, .recoveredTests] {
                try connection.statement(query).forEach(project, moment) { tests[$0.integer(0)] = $0.testID(1) }
            }
            if let tag {
                let names = try TestNames(of: project, connection)
                tests = try tests.filter { row, id in try names.named(id, row: row).hasTag(tag) }
            }
            let executions = try connection.executions(of: Array(tests.keys), in: project, since: moment)
            let found = tests.map { row, id in FlakyTest(id, executions[row] ?? []) }
            return Array(found.filter(\.isSuspect).sorted { $0.precedes($1) }.prefix(limit))
        }
    }

    /// The durations of a project's tests in its latest full run that executed any.
    public func latestDurations(project: String) throws(StorageError) -> [TestID: Duration] {
        try read { connection in
            guard let project = try connection.project(project),
                let run = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) })
            else { return [:] }
            let results = try ResultReading(connection).results(run)
            var durations: [TestID: Duration] = [:]
            for index in results.indices {
                guard let duration = results.durations[index] else { continue }
                durations[try connection.identity(of: results.tests[index])] = .nanoseconds(duration)
            }
            return durations
        }
    }
}

extension Connection {
    /// The executions of tests in each run since a moment, the oldest first.
    fileprivate func executions(
        of tests: [Int64], in project: Int64, since moment: Int64
    ) throws -> [Int64: [FlakyExecution]] {
        guard !tests.isEmpty else { return [:] }
        var failedAttempts: [Int64: Set<Int64>] = [:]
        try statement(.failedAttempts).forEach(project, moment) {
            failedAttempts[$0.integer(0), default: []].insert($0.integer(1))
        }
        let reading = ResultReading(self)
        var places: [Int64: [Int?]] = [:]
        var executions: [Int64: [FlakyExecution]] = [:]
        try statement(.endingsSince).forEach(project, moment) { row in
            let (run, id, testList) = (row.integer(0), try row.runID(1), row.integer(4))
            let (branch, tree) = (row.optionalText(2).map { Name($0) }, row.optionalText(3))
            let endings = try Deflate.unpacked(row.bytes(5))
            let known = try places[testList] ?? reading.places(of: tests, inTestList: testList)
            places[testList] = known
            for (test, place) in zip(tests, known) {
                guard let place else { continue }
                guard place < endings.count else {
                    throw UnreadableContent("the results of a run do not fit its tests")
                }
                let outcome = try PackedResult(endings[place]).outcome
                guard outcome.wasExecuted else { continue }
                executions[test, default: []].append(
                    FlakyExecution(
                        run: id, branch: branch, tree: tree, isFailure: outcome.isFailure,
                        hasFailedAttempt: failedAttempts[run]?.contains(test) ?? false))
            }
        }
        return executions
    }
}
