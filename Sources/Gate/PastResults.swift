public import RunModel

public import struct Foundation.Date

/// An earlier run in which a test was executed.
public struct PastRun: Sendable, Hashable {
    /// The run.
    public var id: RunID
    /// When it began.
    public var startedAt: Date
    /// Its branch; `nil` if unknown.
    public var branch: String?
    /// Its commit, full hexadecimal.
    public var commit: String?
    /// Its tree, full hexadecimal.
    public var tree: String?
    /// The author of its commit; untrusted text.
    public var author: String?

    package init(
        id: RunID, startedAt: Date, branch: String? = nil, commit: String? = nil, tree: String? = nil,
        author: String? = nil
    ) {
        (self.id, self.startedAt, self.branch) = (id, startedAt, branch)
        (self.commit, self.tree, self.author) = (commit, tree, author)
    }
}

/// One earlier execution of a test.
public struct PastExecution: Sendable, Hashable {
    /// How it ended.
    public var outcome: Outcome
    /// How long its last attempt took, where known.
    public var duration: Duration?
    /// What it ran on, where known.
    public var machine: MachineClass?
    /// Where it was; `nil` if nobody asked.
    public var run: PastRun?

    package init(outcome: Outcome, duration: Duration? = nil, machine: MachineClass? = nil, run: PastRun? = nil) {
        self.outcome = outcome
        self.duration = duration
        self.machine = machine
        self.run = run
    }
}

/// What the full runs before a run say about the tests that its policy asks about.
public struct PastResults: Sendable, Hashable {
    /// The executions of each test, the newest first; skipped and reused results are not among them.
    public var executions: [TestID: [PastExecution]]
    /// What searches had found by then, the newest first.
    public var culprits: [Culprit]

    /// Makes the past; without arguments nothing is known of it.
    public init(_ executions: [TestID: [PastExecution]] = [:], culprits: [Culprit] = []) {
        (self.executions, self.culprits) = (executions, culprits)
    }
}

extension Policy {
    /// Whether runs before have a say in the verdict, and not only in what is said of failures.
    public var asksThePast: Bool { !quarantine.isEmpty || !budgets.isEmpty }

    /// The tests of a run of which the past has to be known to judge it by this policy, and to say since when they fail.
    public func testsWithPast(in run: TestRun) -> [TestID] {
        let failed = run.failures.prefix(FailureOrigin.most).map(\.id)
        guard asksThePast else { return failed }
        let names = Set(quarantine.map { Name($0.test) })
        let patterns = PatternSet(budgets.map(\.pattern))
        let byRules = run.tests.filter { test in
            test.outcome.wasExecuted
                && (names.contains(Name(test.id.description))
                    || patterns.first(forBeginningOf: test.id.budgetPath) != nil)
        }.map(\.id)
        let known = Set(byRules)
        return byRules + failed.filter { !known.contains($0) }
    }
}
