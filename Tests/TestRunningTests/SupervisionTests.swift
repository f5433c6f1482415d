import Testing

@testable import TestRunning

@Suite struct SupervisionTests {
    private static let limits = Supervision.Limits(
        run: .seconds(100), silence: .seconds(30), grace: .seconds(10), leakWindow: .milliseconds(200),
        timeout: .seconds(5)
    )

    /// Feeds events at times in seconds and answers what was to be done after each.
    private func actions(
        _ events: [(Supervision.Event, Double)],
        _ limits: Supervision.Limits = limits
    ) -> (actions: [Supervision.Action?], machine: Supervision) {
        var machine = Supervision(limits: limits)
        let actions = events.map { machine.receive($0.0, at: .seconds($0.1)) }
        return (actions, machine)
    }

    @Test func `limits use a clock that stops while the machine sleeps`() {
        #expect(ObjectIdentifier(RunClock.self) == ObjectIdentifier(SuspendingClock.self))
    }

    @Test func `a child that ends with its tree needs nothing`() {
        let (actions, machine) = actions([(.activity, 1), (.ended, 2), (.treeEnded, 2.01)])
        #expect(actions == [nil, nil, nil])
        #expect(machine.phase == .gone)
        #expect(machine.cause == nil)
    }

    @Test func `an overdue child is asked, then ended`() {
        let (actions, machine) = actions([
            (.activity, 99), (.tick, 99.9), (.tick, 100), (.tick, 109.9), (.tick, 110), (.treeEnded, 110.1),
        ])
        #expect(actions == [nil, nil, .terminate, nil, .kill, nil])
        #expect(machine.cause == .overdue)
    }

    @Test func `a child that prints without end still becomes overdue`() {
        let (actions, machine) = actions([(.activity, 99), (.activity, 100)])
        #expect(actions == [nil, .terminate])
        #expect(machine.cause == .overdue)
    }

    @Test func `a silent child is asked to end after its last sign of life`() {
        let (actions, machine) = actions([(.activity, 20), (.tick, 49.9), (.tick, 50)])
        #expect(actions == [nil, nil, .terminate])
        #expect(machine.phase == .terminating(.silent, since: .seconds(50)))
    }

    @Test func `a child that was asked gets its grace for the whole tree`() {
        let (actions, machine) = actions([(.tick, 100), (.ended, 100.1), (.tick, 105), (.tick, 110)])
        #expect(actions == [.terminate, nil, nil, .kill])
        #expect(machine.phase == .killed(since: .seconds(110)))
    }

    @Test func `what a child leaves behind has a moment to end by itself`() {
        let (actions, machine) = actions([(.ended, 5), (.tick, 5.1), (.tick, 5.2), (.treeEnded, 5.3)])
        #expect(actions == [nil, nil, .endLeaked, nil])
        #expect(machine.cause == nil)
    }

    private static let telling = Supervision.Limits(
        run: .seconds(100), silence: .seconds(30), grace: .seconds(10), diagnosis: .seconds(5)
    )

    @Test func `a test that takes too long may tell where it hangs, within the grace`() {
        let (quiet, machine) = actions(
            [(.testOverdue, 7), (.testOverdue, 7.1), (.tick, 11.9), (.tick, 12), (.tick, 16.9), (.tick, 17)],
            Self.telling
        )
        #expect(quiet == [.diagnose, nil, nil, .terminate, nil, .kill])
        #expect(machine.cause == .testOverdue)
        let (telling, _) = actions(
            [(.tick, 100), (.activity, 100.5), (.tick, 101.9), (.tick, 102), (.ended, 102.1), (.treeEnded, 102.2)],
            Self.telling
        )
        #expect(telling == [.diagnose, nil, nil, .terminate, nil, nil])
        let (gone, _) = actions([(.tick, 30), (.ended, 30.1), (.treeEnded, 30.2)], Self.telling)
        #expect(gone == [.diagnose, .terminate, nil])
    }

    @Test func `who wants no more does not wait for a diagnosis`() {
        #expect(actions([(.cancelled, 1)], Self.telling).actions == [.terminate])
        #expect(actions([(.tick, 100), (.cancelled, 101)], Self.telling).actions == [.diagnose, .terminate])
    }

    @Test func `a cancelled child is asked to end once`() {
        let (actions, machine) = actions([(.cancelled, 3), (.cancelled, 4), (.tick, 13)])
        #expect(actions == [.terminate, nil, .kill])
        #expect(machine.cause == .cancelled)
    }

    @Test func `who is in a hurry waits neither for the grace nor for a diagnosis`() {
        let (asked, machine) = actions([
            (.cancelled, 3), (.killRequested, 3.1), (.killRequested, 3.2), (.treeEnded, 3.3),
        ])
        #expect(asked == [.terminate, .kill, nil, nil])
        #expect(machine.cause == .cancelled)
        #expect(actions([(.tick, 100), (.killRequested, 101)], Self.telling).actions == [.diagnose, .kill])
        #expect(actions([(.ended, 5), (.killRequested, 5.1)]).actions == [nil, .kill])
        #expect(actions([(.killRequested, 0)]).machine.cause == .cancelled)
    }

    @Test func `what cannot be killed is abandoned`() {
        let (actions, machine) = actions([(.cancelled, 0), (.tick, 10), (.tick, 14.9), (.tick, 15), (.tick, 99)])
        #expect(actions == [.terminate, .kill, nil, .abandon, nil])
        #expect(machine.phase == .gone)
        #expect(machine.nextDeadline == nil)
    }

    @Test func `the next deadline is the nearest of its limits`() {
        var machine = Supervision(limits: Self.limits)
        #expect(machine.nextDeadline == .seconds(30))
        _ = machine.receive(.activity, at: .seconds(80))
        #expect(machine.nextDeadline == .seconds(100))
        _ = machine.receive(.ended, at: .seconds(81))
        #expect(machine.nextDeadline == .milliseconds(81_200))
        #expect(Supervision(limits: .init()).nextDeadline == nil)
    }
}
