import Synchronization

/// A request to end at once a run that is already being ended in order.
///
/// Cancelling a task asks its children to end and gives them their time; this kills what has not
/// ended yet. What is known of the run is kept all the same.
public final class ImmediateStop: Sendable {
    private struct State {
        var isRequested = false
        var pipes: [ObjectIdentifier: WakePipe] = [:]
    }

    private let state = Mutex(State())

    /// That of the run that the current task works on; every child listens to it, whoever starts it.
    @TaskLocal static var ofTask: ImmediateStop?

    /// Nothing is requested yet.
    public init() {}

    /// Covers all children that `body` starts, or a task that begins in it.
    public func withScope<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$ofTask.withValue(self, operation: body)
    }

    /// Ends every process of the run with SIGKILL, also those that are still to be started.
    public func killNow() {
        let pipes = state.withLock { state in
            state.isRequested = true
            return Array(state.pipes.values)
        }
        pipes.forEach { $0.wish(.kill) }
    }

    /// Has the watcher of a child woken.
    func add(_ pipe: WakePipe) {
        let isRequested = state.withLock { state in
            state.pipes[ObjectIdentifier(pipe)] = pipe
            return state.isRequested
        }
        if isRequested { pipe.wish(.kill) }
    }

    /// Forgets a child that has ended.
    func remove(_ pipe: WakePipe) { state.withLock { $0.pipes[ObjectIdentifier(pipe)] = nil } }
}
