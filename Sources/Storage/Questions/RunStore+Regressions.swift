public import Gate
public import RunModel

extension RunStore {
    /// The run since which each test fails; tests that passed in their last execution are left out.
    ///
    /// - Parameters:
    ///   - tests: The tests.
    ///   - name: Their project.
    ///   - branch: Only runs of this branch; of all branches if `nil`.
    ///   - runs: How many runs are read at most, the newest first.
    public func regressions(
        of tests: [TestID], project name: String, branch: String?, runs: Int
    ) throws(StorageError) -> [Regression] {
        try read { connection in
            guard let project = try connection.project(name) else { return [] }
            let rows = try tests.map { try connection.row(of: $0, in: project) }
            var pending = Array(rows.indices.filter { rows[$0] != nil })
            var since: [Int: RunID] = [:]
            var lastPassed: [Int: RunID] = [:]
            let reading = ResultReading(connection)
            for run in try connection.latestRuns(of: project, branch: branch, limit: runs) {
                if pending.isEmpty { break }
                let outcomes = try reading.outcomes(of: pending.compactMap { rows[$0] }, in: run.row)
                var remaining: [Int] = []
                for (index, outcome) in zip(pending, outcomes) {
                    switch outcome {
                    case let outcome? where outcome.isFailure:
                        since[index] = run.id
                        remaining.append(index)
                    case let outcome? where outcome.wasExecuted: lastPassed[index] = since[index] == nil ? nil : run.id
                    default: remaining.append(index)
                    }
                }
                pending = remaining
            }
            return try tests.indices.compactMap { index in
                guard let id = since[index], let first = try connection.summary(of: id) else { return nil }
                let passed = try lastPassed[index].flatMap { try connection.summary(of: $0) }
                return Regression(
                    test: tests[index], since: first, lastPassed: passed,
                    culprit: try connection.culprit(
                        of: tests[index], project: name, lastPassedOn: passed?.revision?.commit))
            }
        }
    }
}

extension Connection {
    fileprivate func latestRuns(
        of project: Int64, branch: String?, limit: Int
    ) throws -> [(row: Int64, id: RunID)] {
        guard let branch else {
            return try statement(.latestRuns).all(project, limit) { ($0.integer(0), try $0.runID(1)) }
        }
        return try statement(.latestRunsOfBranch).all(project, Bytes(branch), limit) {
            ($0.integer(0), try $0.runID(1))
        }
    }
}
