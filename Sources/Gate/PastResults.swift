public import RunModel

/// One earlier execution of a test.
public struct PastExecution: Sendable, Hashable {
    /// How it ended.
    public var outcome: Outcome
    /// How long its last attempt took, where known.
    public var duration: Duration?
    /// What it ran on, where known.
    public var machine: MachineClass?

    /// Makes an execution from its parts.
    public init(outcome: Outcome, duration: Duration? = nil, machine: MachineClass? = nil) {
        self.outcome = outcome
        self.duration = duration
        self.machine = machine
    }
}

/// What the full runs before a run say about the tests that its policy asks about.
public struct PastResults: Sendable, Hashable {
    /// The executions of each test, the newest first; skipped and reused results are not among them.
    public var executions: [TestID: [PastExecution]]

    /// Makes the past; without arguments nothing is known of it.
    public init(_ executions: [TestID: [PastExecution]] = [:]) { self.executions = executions }
}

extension Policy {
    /// The tests of a run of which the past has to be known to judge it by this policy.
    public func testsWithPast(in run: TestRun) -> [TestID] {
        guard !quarantine.isEmpty || !budgets.isEmpty else { return [] }
        let names = Set(quarantine.map { Name($0.test) })
        let patterns = PatternSet(budgets.map(\.pattern))
        return run.tests.filter { test in
            test.outcome.wasExecuted
                && (names.contains(Name(test.id.description))
                    || patterns.first(forBeginningOf: test.id.budgetPath) != nil)
        }.map(\.id)
    }
}
