import RunModel

extension GateChangeCode {
    static let minimumTestsLowered = GateChangeCode(
        "minimum-tests-lowered", "Fewer tests are demanded than at the base.")
}

/// The rule that at least a given number of tests are executed.
enum MinimumTests: Rule {
    static let code = "minimum-tests"
    static let changes: [GateChangeCode] = [.minimumTestsLowered]

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Tests", words: "at least \(Figures.counted(policy.minimumTests, "test"))")]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(
            \.minimumTests, at: "tests.minimum", .minimumTestsLowered, isLaxer: <, words: { "\($0)" })
    }

    /// A run without any test has a gap for that already: a minimum of 1 adds no violation.
    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let (executed, minimum) = (input.run.outcomes.executed, input.rules.minimumTests)
        guard input.isWhole, executed < minimum, executed > 0 || minimum > 1 else { return }
        findings.violations.append(.tooFewTests(executed: executed, minimum: minimum))
    }

    static func summary(_ count: Int) -> String { "too few tests" }
    static func headline(_ violations: [Violation]) -> [String] { violations.map(\.sentence) }
}

extension Violation {
    /// Fewer tests were executed than the policy demands.
    public static func tooFewTests(executed: Int, minimum: Int) -> Violation {
        Violation(
            rule: MinimumTests.code, subject: .tests, title: Figures.counted(executed, "test"),
            reason: "ran instead of at least \(Figures.grouped(minimum))",
            hint: "Check the filter, and that no test target is missing.", observed: "\(executed)",
            required: "\(minimum)")
    }
}
