public import RunModel

extension RunStore {
    /// How many full runs are searched for those of a machine.
    static let runsLookedThrough = 20

    /// The durations of a project's latest full runs on one class of machine, the newest first.
    ///
    /// Runs that did not compile, that were ended early, or whose machine is unknown do not count.
    public func durationsOfFullRuns(
        project: String, on machine: MachineClass, limit: Int
    ) throws(StorageError) -> [Duration] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            let runs = try connection.statement(.durationsOfFullRuns).all(project, Self.runsLookedThrough) { row in
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
