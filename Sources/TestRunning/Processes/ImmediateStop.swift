import Synchronization

/// A request to kill a run that is already being ended.
///
/// Cancelling a task asks its children to end and gives them time; this kills the remaining ones. The results so far
/// are still kept.
public final class ImmediateStop: Sendable {
    private struct State {
        var isRequested = false
        var pipes: [ObjectIdentifier: WakePipe] = [:]
    }

    private let state = Mutex(State())

    /// The request of the current task's run; every child observes it.
    @TaskLocal static var ofTask: ImmediateStop?

    /// Makes a request that is not active yet.
    public init() {}

    /// Covers all children that `body` starts, or a task that begins in it.
    public func withScope<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$ofTask.withValue(self, operation: body)
    }

    /// Kills every process of the run with SIGKILL, also later ones.
    public func killNow() {
        let pipes = state.withLock { state in
            state.isRequested = true
            return Array(state.pipes.values)
        }
        pipes.forEach { $0.send(.kill) }
    }

    /// Registers a child.
    func add(_ pipe: WakePipe) {
        let isRequested = state.withLock { state in
            state.pipes[ObjectIdentifier(pipe)] = pipe
            return state.isRequested
        }
        if isRequested { pipe.send(.kill) }
    }

    /// Removes a child that has ended.
    func remove(_ pipe: WakePipe) { state.withLock { $0.pipes[ObjectIdentifier(pipe)] = nil } }
}
