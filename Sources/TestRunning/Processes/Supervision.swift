/// Decides when a child must be ended, as a pure state machine: events and times go in, actions come out.
///
/// Times are durations since the child was started, taken from `RunClock`.
struct Supervision: Sendable, Hashable {
    /// The time limits of a child.
    struct Limits: Sendable, Hashable {
        /// The longest duration; `nil` for no limit.
        var run: Duration?
        /// The longest time without a sign of life; `nil` for no limit.
        var silence: Duration?
        /// The time between asking and killing.
        var grace: Duration = .seconds(10)
        /// The part of the grace in which the tests may print their stacks, before they are asked to end.
        var diagnosis: Duration = .zero
        /// The time for leaked processes to end by themselves.
        var leakWindow: Duration = .milliseconds(200)
        /// How long to wait for killed processes: one that is blocked in the kernel may never end.
        var timeout: Duration = .seconds(5)
    }

    /// Why the child was ended.
    enum Cause: Sendable, Hashable {
        /// It took too long.
        case overdue
        /// It gave no sign of life for too long.
        case silent
        /// One of its tests took too long.
        case testOverdue
        /// The caller cancelled it.
        case cancelled
    }

    /// The current phase.
    enum Phase: Sendable, Hashable {
        /// The child runs.
        case started
        /// The child has ended, but some of its descendants have not.
        case lingering(since: Duration)
        /// The tests print where they hang.
        case diagnosing(Cause, since: Duration)
        /// The tree was asked to end.
        case terminating(Cause, since: Duration)
        /// The tree was ended.
        case killed(since: Duration)
        /// Nothing is left, or the rest cannot be ended.
        case gone
    }

    /// An event of the child.
    enum Event: Sendable, Hashable {
        /// Time passes.
        case tick
        /// A sign of life.
        case activity
        /// One of the tests takes too long.
        case testOverdue
        /// The caller cancelled it.
        case cancelled
        /// The caller wants it killed.
        case killRequested
        /// The child has ended.
        case ended
        /// The whole tree has ended.
        case treeEnded
    }

    /// The action to take.
    enum Action: Sendable, Hashable {
        /// Let the tests print where they hang.
        case diagnose
        /// Ask every process of the tree to end.
        case terminate
        /// Record leaked processes, then end them.
        case endLeaked
        /// End every process of the tree.
        case kill
        /// Give up on processes that cannot be ended.
        case abandon
    }

    /// The limits it goes by.
    let limits: Limits
    /// The current phase.
    private(set) var phase = Phase.started
    /// Why the child was ended before its time; `nil` if it was not.
    private(set) var cause: Cause?
    private var lastActivity = Duration.zero

    /// The runtime searches silently, then prints all at once.
    private static let pauseInTelling = Duration.milliseconds(1500)

    /// A child that has just been started.
    init(limits: Limits) { self.limits = limits }

    /// Takes an event and returns an action.
    mutating func receive(_ event: Event, at now: Duration) -> Action? {
        if event == .treeEnded {
            phase = .gone
            return nil
        }
        if event == .killRequested { return killNow(at: now) }
        switch phase {
        case .started: return whileStarted(event, at: now)
        case .lingering(let since):
            if event == .cancelled { return kill(at: now) }
            guard now - since >= limits.leakWindow else { return nil }
            phase = .killed(since: now)
            return .endLeaked
        case .diagnosing(let cause, let since):
            if event == .activity { lastActivity = now }
            // After a pause the output is complete.
            let hasTold = lastActivity > since && now - lastActivity >= Self.pauseInTelling
            if hasTold || event == .ended || event == .cancelled || now - since >= limits.diagnosis {
                phase = .terminating(cause, since: since)
                return .terminate
            }
            return nil
        case .terminating(_, let since):
            return now - since >= limits.grace ? kill(at: now) : nil
        case .killed(let since):
            guard now - since >= limits.timeout else { return nil }
            phase = .gone
            return .abandon
        case .gone: return nil
        }
    }

    /// The time of the next useful `tick`.
    var nextDeadline: Duration? {
        switch phase {
        case .started:
            let silent = limits.silence.map { lastActivity + $0 }
            guard let run = limits.run else { return silent }
            return silent.map { min($0, run) } ?? run
        case .lingering(let since): return since + limits.leakWindow
        case .diagnosing(_, let since): return since + limits.diagnosis
        case .terminating(_, let since): return since + limits.grace
        case .killed(let since): return since + limits.timeout
        case .gone: return nil
        }
    }

    private mutating func whileStarted(_ event: Event, at now: Duration) -> Action? {
        switch event {
        case .ended:
            phase = .lingering(since: now)
            return nil
        case .cancelled: return terminate(.cancelled, at: now)
        case .testOverdue: return terminate(.testOverdue, at: now)
        case .activity: lastActivity = now
        case .tick, .killRequested, .treeEnded: break
        }
        // A child that prints without end is still overdue.
        if let run = limits.run, now >= run { return terminate(.overdue, at: now) }
        if let silence = limits.silence, now - lastActivity >= silence { return terminate(.silent, at: now) }
        return nil
    }

    private mutating func terminate(_ cause: Cause, at now: Duration) -> Action {
        self.cause = cause
        // A cancelled run needs no diagnosis.
        guard cause != .cancelled, limits.diagnosis > .zero else {
            phase = .terminating(cause, since: now)
            return .terminate
        }
        phase = .diagnosing(cause, since: now)
        return .diagnose
    }

    private mutating func killNow(at now: Duration) -> Action? {
        switch phase {
        case .killed, .gone: return nil
        case .started: cause = .cancelled
        case .lingering, .diagnosing, .terminating: break
        }
        return kill(at: now)
    }

    private mutating func kill(at now: Duration) -> Action {
        phase = .killed(since: now)
        return .kill
    }
}
