import RunModel

extension GateChangeCode {
    static let maxSkippedRaised = GateChangeCode(
        "max-skipped-raised", "More tests may be skipped than at the base, or as many as there are.")
}

/// The rule that at most a given number of tests are skipped.
enum SkippedTests: Rule {
    static let code = "max-skipped"
    static let changes: [GateChangeCode] = [.maxSkippedRaised]

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Skipped tests", words: policy.maxSkipped.map { "at most \(Figures.grouped($0))" })]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.maxSkipped, at: "tests.max-skipped", .maxSkippedRaised) { head, base in
            head ?? .max > base ?? .max
        } words: {
            $0.map { "\($0)" } ?? "none"
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let skipped = input.run.outcomes[.skipped]
        guard input.isWhole, let most = input.rules.maxSkipped, skipped > most else { return }
        findings.violations.append(.tooManySkipped(skipped, most: most))
    }

    static func summary(_ count: Int) -> String { "too many tests skipped" }
    static func headline(_ violations: [Violation]) -> [String] { violations.map(\.sentence) }
}

extension Violation {
    /// More tests were skipped than the policy allows.
    public static func tooManySkipped(_ skipped: Int, most: Int) -> Violation {
        Violation(
            rule: SkippedTests.code, subject: .tests, title: Figures.counted(skipped, "test"),
            reason: "skipped instead of at most \(Figures.grouped(most))",
            hint: "Run the tests that are skipped, or raise tests.max-skipped.", observed: "\(skipped)",
            required: "\(most)")
    }
}
