public import RunModel

extension RunStore {
    /// The trials of a selection in the last runs of a project that have one: of those that answer for their tree, or, if none does, of
    /// the others.
    public func selectionLedger(of project: String, limit: Int) throws(StorageError) -> SelectionLedger {
        try read { connection in
            guard let project = try connection.project(project) else { return SelectionLedger([]) }
            let trials = try connection.trials(project, isExact: true, limit)
            return SelectionLedger(trials.isEmpty ? try connection.trials(project, isExact: false, limit) : trials)
        }
    }
}

extension Connection {
    fileprivate func trials(_ project: Int64, isExact: Bool, _ limit: Int) throws -> [SelectionLedger.Entry] {
        try statement(.selectionTrials).all(project, limit, isExact) { row in
            SelectionLedger.Entry(
                run: try row.runID(0),
                trial: SelectionTrial(
                    base: try row.runID(1), tests: row.int(2), deselected: row.int(3),
                    time: .nanoseconds(row.integer(4)), deselectedTime: .nanoseconds(row.integer(5)),
                    failures: row.int(6), missed: row.int(7)))
        }
    }
}
