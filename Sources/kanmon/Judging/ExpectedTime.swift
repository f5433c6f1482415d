import Storage

/// How long a run will take if it goes like those before it: their median, and how many there were.
struct ExpectedTime: Sendable, Equatable {
    let duration: Duration
    let runs: Int

    /// So many of the last runs are asked.
    static let most = 5

    /// The median of some runs, the lower of two middles; `nil` without any.
    init?(medianOf durations: [Duration]) {
        guard !durations.isEmpty else { return nil }
        duration = durations.sorted()[(durations.count - 1) / 2]
        runs = durations.count
    }
}

extension Checkpoint {
    /// What the whole runs of the project took on machines like this one; `nil` where there is no such run, or where only a
    /// part of the tests is wanted. A store that does not answer is no reason to stop: it is only about progress.
    func expectedTime(of subject: Subject) -> ExpectedTime? {
        guard !subject.isPartial, let machine = surroundings.machine,
            let store = try? RunStore.reading(home.database),
            let durations = try? store.durationsOfWholeRuns(
                project: subject.project, on: machine, limit: ExpectedTime.most)
        else { return nil }
        return ExpectedTime(medianOf: durations)
    }
}
