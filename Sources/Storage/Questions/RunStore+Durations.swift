public import RunModel

extension RunStore {
    /// How many whole runs are looked through for those of a machine.
    static let runsLookedThrough = 20

    /// How long the latest whole runs of a project took on one class of machine, the newest first.
    ///
    /// Runs that did not compile, that were cut short, or whose machine is not known say nothing of it.
    public func durationsOfWholeRuns(
        project: String, on machine: MachineClass, limit: Int
    ) throws(StorageError) -> [Duration] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let runs = try connection.statement(.durationsOfWholeRuns).all(project, Self.runsLookedThrough) { row in
                (duration: row.integer(0), machine: row.optionalInteger(1))
            }
            var known: [Int64: Bool] = [:]
            var durations: [Duration] = []
            for run in runs where durations.count < limit {
                guard let row = run.machine else { continue }
                let isSame =
                    try known[row] ?? (connection.decoded(MachineClass.self, from: row) == machine)
                known[row] = isSame
                if isSame { durations.append(.nanoseconds(run.duration)) }
            }
            return durations
        }
    }
}
