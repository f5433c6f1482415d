public import RunModel

/// A test that takes longer than its budget.
public struct BudgetViolation: Sendable, Hashable, Codable {
    /// The test.
    public var test: TestID
    /// The pattern of the rule.
    public var pattern: String
    /// How long the median may be.
    public var bound: Duration
    /// The median of the executions; the lower of two middles.
    public var median: Duration
    /// How many executions the median is taken over, that of this run included.
    public var executions: Int
    /// What all of them ran on; `nil` when that is not known, and only this run counts.
    public var machine: MachineClass?

    /// Makes a violation from its parts.
    public init(
        test: TestID,
        pattern: String,
        bound: Duration,
        median: Duration,
        executions: Int,
        machine: MachineClass?
    ) {
        self.test = test
        self.pattern = pattern
        self.bound = bound
        self.median = median
        self.executions = executions
        self.machine = machine
    }

    /// So many executions are looked at, that of this run included.
    public static let window = 5
}

extension TestRun {
    /// The tests that passed and are slower than their budget, ordered by identity.
    func budgetViolations(under policy: Policy, past: PastResults) -> [BudgetViolation] {
        guard !policy.budgets.isEmpty else { return [] }
        return tests.sorted { $0.id < $1.id }.compactMap { test in
            // How long a failure takes says nothing about speed.
            guard Self.isTimed(test.outcome), let latest = test.duration,
                let rule = policy.budgets.first(where: { $0.matches(test.id) })
            else { return nil }
            let durations = [latest] + earlierDurations(of: test.id, past).prefix(BudgetViolation.window - 1)
            let median = durations.sorted()[(durations.count - 1) / 2]
            guard median > rule.bound else { return nil }
            return BudgetViolation(
                test: test.id, pattern: rule.pattern, bound: rule.bound, median: median, executions: durations.count,
                machine: machine
            )
        }
    }

    private func earlierDurations(of test: TestID, _ past: PastResults) -> [Duration] {
        guard let machine else { return [] }
        return (past.executions[test] ?? []).filter { $0.machine == machine && Self.isTimed($0.outcome) }
            .compactMap(\.duration)
    }

    private static func isTimed(_ outcome: Outcome) -> Bool { outcome == .passed || outcome == .knownIssue }
}
