public import RunModel

/// A bound on the duration of every test that a pattern matches.
public struct BudgetRule: Sendable, Hashable, Codable {
    /// `Target`, `Target/Suite` or `Target/Suite/test`, with `*` and `?`; it matches a test or whatever holds it.
    public var pattern: String
    /// How long the median of the last executions may be.
    public var bound: Duration

    package init(pattern: String, bound: Duration) { (self.pattern, self.bound) = (pattern, bound) }

    /// Whether it is for this test: the pattern matches the first parts of its identity, or all of them.
    public func matches(_ id: TestID) -> Bool {
        PatternSet([pattern]).first(forBeginningOf: id.budgetPath) != nil
    }

    /// The part of the pattern that is for the target, as the compiler names it.
    var target: String {
        String(pattern.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
    }
}

extension TestID {
    /// The text that patterns of budgets match, as a whole or up to a `/`.
    var budgetPath: String { "\(module)/\(qualifiedName)" }
}

extension GateChangeCode {
    static let budgetRaised = GateChangeCode(
        "budget-raised", "A time bound of tests is higher than at the base, or gone.")
}

/// No test takes longer than its budget.
enum Budgets: Rule {
    static let code = "budget"
    static let changes: [GateChangeCode] = [.budgetRaised]
    /// How many executions are looked at, including that of the run.
    static let window = 5

    static func demands(of policy: Policy) -> [Demand] {
        policy.budgets.map {
            Demand(name: "Time of \($0.pattern)", words: "median \(Figures.duration($0.bound))")
        }
    }

    /// The first rule that matches a test binds it. So a rule of the base is compared with the rules that bind its tests now,
    /// wherever they stand; a rule that matches no test of the run is compared with the rule of the same pattern.
    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings else { return }
        let (old, new) = (settings.policy.budgets, comparison.policy.budgets)
        let isSame = old.elementsEqual(new) { $0.bound == $1.bound && Name($0.pattern) == Name($1.pattern) }
        guard !isSame else { return }
        let tests = comparison.run.tests.map(\.id.budgetPath)
        let (before, after) = (PatternSet(old.map(\.pattern)), PatternSet(new.map(\.pattern)))
        // By rule of the base: the rules that bind its tests now; `nil` if none binds a test.
        var bindings: [[BudgetRule?]] = old.map { _ in [] }
        for test in tests {
            guard let index = before.first(forBeginningOf: test) else { continue }
            bindings[index].append(after.first(forBeginningOf: test).map { new[$0] })
        }
        let isForTest = before.areMatching(tests, withFolders: true)
        let twins = Dictionary(new.map { (Name($0.pattern), $0) }) { first, _ in first }
        for (index, (rule, binding)) in zip(old, bindings).enumerated() {
            let twin = twins[Name(rule.pattern)]
            var now = binding
            if binding.isEmpty {
                if !isForTest[index] { now = [twin] }
            } else if let twin, twin.bound > rule.bound {
                // The tests of this run may have other rules in front of this one, but it binds the tests to come.
                now.append(twin)
            }
            let laxer = now.filter { $0.map { $0.bound > rule.bound } ?? true }
            guard !laxer.isEmpty else { continue }
            let bounds = laxer.compactMap(\.self)
            let laxest = bounds.count < laxer.count ? nil : bounds.max { $0.bound < $1.bound }
            _ = comparison.note(
                .budgetRaised, about: rule.pattern, before: "\(rule.bound)",
                after: laxest.map { "\($0.bound)" } ?? "none", baseKey: "tests.budgets.\(rule.pattern)",
                key: "tests.budgets.\((laxest ?? rule).pattern)")
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let (run, budgets) = (input.run, input.applied.policy.budgets)
        guard !budgets.isEmpty else { return }
        let patterns = PatternSet(budgets.map(\.pattern))
        for test in run.tests.sorted(by: { $0.id < $1.id }) {
            // How long a failure takes says nothing about speed.
            guard isTimed(test.outcome), let latest = test.duration,
                let rule = patterns.first(forBeginningOf: test.id.budgetPath).map({ budgets[$0] })
            else { continue }
            let earlier = (run.machine == nil ? [] : input.past.executions[test.id] ?? [])
                .filter { $0.machine == run.machine && isTimed($0.outcome) }.compactMap(\.duration)
            let durations = [latest] + earlier.prefix(window - 1)
            let median = durations.sorted()[(durations.count - 1) / 2]
            guard median > rule.bound else { continue }
            findings.violations.append(
                .budgetExceeded(
                    test: test.id, rule: rule, median: median, executions: durations.count, machine: run.machine))
        }
    }

    private static func isTimed(_ outcome: Outcome) -> Bool { outcome == .passed || outcome == .knownIssue }

    static func summary(_ count: Int) -> String {
        "\(Figures.counted(count, "test")) over \(count == 1 ? "its budget" : "their budgets")"
    }
}

extension Violation {
    /// A test takes longer than its budget.
    ///
    /// - Parameters:
    ///   - median: That of the executions; the lower of two middles.
    ///   - executions: How many the median is taken over, that of the run included.
    ///   - machine: What all of them ran on; `nil` when that is not known, and only the run counts.
    public static func budgetExceeded(
        test: TestID, rule: BudgetRule, median: Duration, executions: Int, machine: MachineClass?
    ) -> Violation {
        let over =
            executions == 1
            ? "in its only known execution" : "median of its last \(Figures.grouped(executions)) executions"
        let place = machine.map { " on \($0)" } ?? ""
        let (found, bound) = (Figures.duration(median), Figures.duration(rule.bound))
        return Violation(
            rule: Budgets.code, subject: .test(test), title: test.description,
            reason: "takes \(found) > \(bound), \(over)\(place).",
            hint: "Make it faster, or raise '\(rule.pattern)' under tests.budgets.", observed: found, required: bound)
    }
}
