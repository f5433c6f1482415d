public import Gate
public import RunModel

extension RunStore {
    /// So many full runs before a run are looked at.
    static let pastRuns = 50

    /// What the full runs of the project before `run` say of the tests given; runs of a part of the tests do not count.
    ///
    /// The shards of a run are parts of it, so that a result counts once, with the run that they were merged into.
    public func past(of tests: [TestID], before run: TestRun) throws(StorageError) -> PastResults {
        try read { connection in
            guard let project = try connection.project(run.project),
                let moment = run.startedAt.nanosecondsSince1970
            else { return PastResults() }
            var executions: [TestID: [PastExecution]] = [:]
            for test in tests {
                guard let row = try connection.row(of: test, in: project) else { continue }
                executions[test] = try connection.statement(.past)
                    .all(project, moment, run.id.description, Self.pastRuns, row) { row in
                        PastExecution(
                            outcome: try Outcome(storedCode: row.integer(0)), duration: row.optionalDuration(1),
                            machine: try row.optionalText(2).map { try StoredJSON.decode(MachineClass.self, from: $0) }
                        )
                    }
            }
            return PastResults(executions)
        }
    }
}
