/// What leaving out the deselected tests would have saved and missed in a run that ran all of them.
public struct SelectionTrial: Sendable, Hashable {
    /// The run whose per-test coverage deselected tests.
    public var base: RunID
    /// How many tests were executed.
    public var tests: Int
    /// How many of them would have been left out.
    public var deselected: Int
    /// How long all tests took together.
    public var time: Duration
    /// How long the tests took that would have been left out.
    public var deselectedTime: Duration
    /// How many tests failed that were not unsteady before.
    public var failures: Int
    /// How many of them would have been left out.
    public var missed: Int

    package init(
        base: RunID, tests: Int, deselected: Int, time: Duration, deselectedTime: Duration, failures: Int, missed: Int
    ) {
        self.base = base
        self.tests = tests
        self.deselected = deselected
        self.time = time
        self.deselectedTime = deselectedTime
        self.failures = failures
        self.missed = missed
    }

    /// Whether the run was red for a new reason, and would have been green.
    public var isRedMissed: Bool { failures > 0 && missed == failures }

    /// Compares a run with what it could have left out; `nil` for a part of the tests, where something besides files differs from the
    /// run with the per-test coverage, and where nothing ran.
    public init?(of run: TestRun, without deselected: DeselectedTests) {
        guard deselected.difference(from: run.toolchain, run.inputs) == nil else { return nil }
        self.init(of: run, without: deselected.tests, unsteady: deselected.unsteady, by: deselected.run)
    }
}

extension SelectionTrial {
    /// Compares a run with what it could have left out; `nil` for a part of the tests, and where nothing ran.
    ///
    /// - Parameters:
    ///   - deselected: The tests that would have been left out.
    ///   - unsteady: Tests that were unsteady before, whose failures are not new.
    ///   - base: The run that says so.
    public init?(of run: TestRun, without deselected: Set<TestID>, unsteady: Set<TestID>, by base: RunID) {
        let executed = run.tests.filter(\.outcome.wasExecuted)
        guard !run.isPartial, !executed.isEmpty else { return nil }
        let left = executed.filter { deselected.contains($0.id) }
        let failures = executed.filter { $0.outcome.isFailure && !unsteady.contains($0.id) }
        self.init(
            base: base, tests: executed.count, deselected: left.count,
            time: executed.totalDuration,
            deselectedTime: left.totalDuration, failures: failures.count,
            missed: failures.count { deselected.contains($0.id) })
    }
}

/// What would have become of a run whose tests were selected.
public enum TrialKind: String, Sendable, Hashable, CaseIterable {
    /// It would have been green, and was red for a new reason.
    case missed
    /// It would have been red for a new reason, as it was.
    case red
    /// No test failed for a new reason.
    case green
}

extension SelectionTrial {
    /// What would have become of the run.
    public var kind: TrialKind { failures == 0 ? .green : isRedMissed ? .missed : .red }
}

/// The trials of a project's last runs together.
public struct SelectionLedger: Sendable, Hashable {
    /// One run.
    public struct Entry: Sendable, Hashable {
        /// The run.
        public var run: RunID
        /// Its trial.
        public var trial: SelectionTrial

        package init(run: RunID, trial: SelectionTrial) { (self.run, self.trial) = (run, trial) }
    }

    /// The newest run first.
    public var entries: [Entry]

    /// Makes a ledger from its entries.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// How many runs there are in which new failures came up.
    public var red: Int { entries.count { $0.trial.failures > 0 } }
    /// How many of those would have been green.
    public var missed: Int { entries.count { $0.trial.isRedMissed } }
    /// How many tests were executed, and how many of them would have been left out.
    public var tests: CoverageTally {
        CoverageTally(
            covered: entries.reduce(0) { $0 + $1.trial.deselected }, total: entries.reduce(0) { $0 + $1.trial.tests })
    }
    /// How long the tests took, and those that would have been left out.
    public var time: (all: Duration, deselected: Duration) {
        entries.reduce((.zero, .zero)) { ($0.all + $1.trial.time, $0.deselected + $1.trial.deselectedTime) }
    }
}
