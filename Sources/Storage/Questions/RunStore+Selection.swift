public import RunModel

extension RunStore {
    /// What a selection of tests would have left out of the last runs of a project in which that was tried.
    public func selectionLedger(of project: String, limit: Int) throws(StorageError) -> SelectionLedger {
        try read { connection in
            guard let project = try connection.project(project) else { return SelectionLedger([]) }
            return SelectionLedger(
                try connection.statement(.selectionTrials).all(project, limit) { row in
                    SelectionLedger.Entry(
                        run: try row.runID(0),
                        trial: SelectionTrial(
                            base: try row.runID(1), tests: row.int(2), spared: row.int(3),
                            time: .nanoseconds(row.integer(4)), sparedTime: .nanoseconds(row.integer(5)),
                            failures: row.int(6), missed: row.int(7)))
                })
        }
    }
}
