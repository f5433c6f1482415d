import Synchronization

/// The wish to have a run ended at once that is already being ended in order.
///
/// Cancelling a task asks its children to end and gives them their time; whoever has no patience for that hastens it. What
/// is known of the run is kept all the same.
public final class Haste: Sendable {
    private struct State {
        var isGiven = false
        var pipes: [ObjectIdentifier: WakePipe] = [:]
    }

    private let state = Mutex(State())

    /// The haste of the run that the current task works on; every child listens to it, whoever starts it.
    @TaskLocal static var ofTask: Haste?

    /// There is no hurry yet.
    public init() {}

    /// Has all children under this haste that `body` starts, or a task that begins in it.
    public func over<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$ofTask.withValue(self, operation: body)
    }

    /// Ends every process of the run with SIGKILL, also those that are still to be started.
    public func hasten() {
        let pipes = state.withLock { state in
            state.isGiven = true
            return Array(state.pipes.values)
        }
        pipes.forEach { $0.wish(.hasten) }
    }

    /// Has the watcher of a child woken.
    func add(_ pipe: WakePipe) {
        let isGiven = state.withLock { state in
            state.pipes[ObjectIdentifier(pipe)] = pipe
            return state.isGiven
        }
        if isGiven { pipe.wish(.hasten) }
    }

    /// Forgets a child that has ended.
    func remove(_ pipe: WakePipe) { state.withLock { $0.pipes[ObjectIdentifier(pipe)] = nil } }
}
