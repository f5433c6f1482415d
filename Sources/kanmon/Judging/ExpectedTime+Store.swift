import RunModel
import Storage

extension ExpectedTime {
    /// So many of the last runs are asked.
    private static let most = 5

    /// What the whole runs of a project took on machines of a class; `nil` where they do not agree. A store that does not
    /// answer is no reason to stop: it is only about progress.
    init?(of project: String, on machine: MachineClass, in database: String) {
        guard let store = try? RunStore.reading(database),
            let durations = try? store.durationsOfWholeRuns(project: project, on: machine, limit: Self.most)
        else { return nil }
        self.init(agreeing: durations)
    }
}
