package import RunModel
import Storage

extension ExpectedTime {
    /// How many of the last runs are used.
    private static let most = 5

    /// The duration of a project's full runs on a class of machine; `nil` if they do not agree. Errors of the store
    /// are ignored, because this is only for progress.
    package init?(of project: String, on machine: MachineClass, in database: String) {
        guard let store = try? RunStore.reading(database),
            let durations = try? store.durationsOfFullRuns(project: project, on: machine, limit: Self.most)
        else { return nil }
        self.init(agreeing: durations)
    }
}
