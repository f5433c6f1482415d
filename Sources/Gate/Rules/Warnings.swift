public import RunModel

extension GateChangeCode {
    static let maxWarningsRaised = GateChangeCode(
        "max-warnings-raised", "Tests may record more warnings than at the base, or as many as there are.")
}

/// The rule that tests record at most a given number of warnings.
enum Warnings: Rule {
    static let code = "max-warnings"
    static let changes: [GateChangeCode] = [.maxWarningsRaised]

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Warnings of tests", words: policy.maxWarnings.map { "at most \(Figures.grouped($0))" })]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.maxWarnings, at: "tests.max-warnings", .maxWarningsRaised) { head, base in
            head ?? .max > base ?? .max
        } words: {
            $0.map { "\($0)" } ?? "none"
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let warnings = input.run.warnings
        guard input.isWhole, let most = input.rules.maxWarnings, warnings.count > most else { return }
        findings.violations.append(.tooManyWarnings(warnings, most: most))
    }

    static func summary(_ count: Int) -> String { "too many warnings" }
    static func headline(_ violations: [Violation]) -> [String] { violations.map(\.sentence) }
}

extension Violation {
    /// Tests recorded more warnings than the policy allows.
    public static func tooManyWarnings(_ warnings: [TestWarning], most: Int) -> Violation {
        let first =
            warnings.first.map { "; the first is of \($0.test)" + ($0.issue.location.map { " at \($0)" } ?? "") } ?? ""
        return Violation(
            rule: Warnings.code, subject: .tests, title: Figures.counted(warnings.count, "warning"),
            reason: "recorded by tests instead of at most \(Figures.grouped(most))\(first)",
            hint: "Resolve them, or raise tests.max-warnings.", observed: "\(warnings.count)", required: "\(most)")
    }
}
