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
            var failedOn: [Int: Set<String>] = [:]
            var lastPassed: [Int: (id: RunID, commit: String)] = [:]
            let reading = ResultReading(connection)
            for run in try connection.latestRuns(of: project, branch: branch, limit: runs) {
                if pending.isEmpty { break }
                let outcomes = try reading.outcomes(of: pending.compactMap { rows[$0] }, in: run.row)
                var remaining: [Int] = []
                for (index, outcome) in zip(pending, outcomes) {
                    switch outcome {
                    case let outcome? where outcome.isFailure:
                        since[index] = run.id
                        failedOn[index, default: []].insert(run.commit)
                        remaining.append(index)
                    case let outcome? where outcome.wasExecuted:
                        if since[index] != nil { lastPassed[index] = (id: run.id, commit: run.commit) }
                    default: remaining.append(index)
                    }
                }
                pending = remaining
            }
            return try tests.indices.compactMap { index in
                guard let id = since[index], let first = try connection.summary(of: id) else { return nil }
                guard let passed = lastPassed[index] else {
                    return Regression(test: tests[index], since: first, lastPassed: nil)
                }
                let culprit = try connection.culprits(of: tests[index], project: name).first {
                    $0.answers(tests[index], lastPassedOn: passed.commit, failedOn: failedOn[index] ?? [])
                }
                return Regression(
                    test: tests[index], since: first, lastPassed: try connection.summary(of: passed.id),
                    lastPassedOn: passed.commit.isEmpty ? nil : passed.commit, culprit: culprit)
            }
        }
    }
}

extension Connection {
    /// The commits are those that the branch had; empty where none is known.
    fileprivate func latestRuns(
        of project: Int64, branch: String?, limit: Int
    ) throws -> [(row: Int64, id: RunID, commit: String)] {
        guard let branch else {
            return try statement(.latestRuns).all(project, limit) { ($0.integer(0), try $0.runID(1), $0.text(2)) }
        }
        return try statement(.latestRunsOfBranch).all(project, Bytes(branch), limit) {
            ($0.integer(0), try $0.runID(1), $0.text(2))
        }
    }
}
