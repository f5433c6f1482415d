public import Gate
public import RunModel

import struct Foundation.Date

extension RunStore {
    /// How many full runs before a run are read.
    static let pastRuns = 50

    /// The results of tests in the project's full runs before `run`; partial runs do not count.
    ///
    /// Shards are partial too, so that a result counts once, with the merged run.
    public func past(of tests: [TestID], before run: TestRun) throws(StorageError) -> PastResults {
        try read { connection in
            guard let project = try connection.project(run.project),
                let moment = run.startedAt.nanosecondsSince1970
            else { return PastResults() }
            let known = try tests.compactMap { id in
                try connection.row(of: id, in: project).map { (id: id, row: $0) }
            }
            var executions = Dictionary(known.map { ($0.id, [PastExecution]()) }) { first, _ in first }
            guard !known.isEmpty else { return PastResults(executions) }
            let runs = try connection.statement(.past).all(project, moment, run.id.description, Self.pastRuns) { row in
                (
                    row: row.integer(0), machine: row.optionalInteger(1),
                    run: PastRun(
                        id: try row.runID(2), startedAt: Date(nanosecondsSince1970: row.integer(3)),
                        branch: row.optionalText(4), commit: row.optionalText(5), tree: row.optionalText(6),
                        author: row.optionalText(7))
                )
            }
            let reading = ResultReading(connection)
            for run in runs {
                let machine = try run.machine.map {
                    try connection.decoded(MachineClass.self, from: $0)
                }
                for (test, ending) in zip(known, try reading.endings(of: known.map(\.row), in: run.row)) {
                    guard let ending else { continue }
                    let outcome = try PackedResult(ending.byte).outcome
                    guard outcome.wasExecuted else { continue }
                    executions[test.id]?.append(
                        PastExecution(
                            outcome: outcome, duration: ending.duration.map { .nanoseconds($0) }, machine: machine,
                            run: run.run))
                }
            }
            // What is found out later changes nothing of what was said on the day of the run.
            let culprits = try run.failures.prefix(FailureOrigin.most)
                .flatMap { try connection.culprits(of: $0.id, project: run.project) }
                .filter { $0.foundAt <= run.startedAt }
            return PastResults(executions, culprits: culprits)
        }
    }
}
