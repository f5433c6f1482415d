public import RunModel

/// What becomes of a run in which a test failed and then passed on the same tree.
public enum FlakyRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is shown, and blocks nothing.
    case warn
    /// It blocks.
    case fail
}

extension GateChangeCode {
    static let flakyTolerated = GateChangeCode(
        "flaky-tolerated", "A flaky test is only shown that blocked at the base.")
}

/// No test fails and then passes on the same tree, where the policy says so.
enum FlakyTests: Rule {
    static let code = "flaky"
    static let changes: [GateChangeCode] = [.flakyTolerated]

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Flaky tests", words: policy.flaky == .fail ? "block" : "warn")]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.flaky, at: "tests.flaky", .flakyTolerated) { head, base in
            head == .warn && base == .fail
        } words: {
            $0.rawValue
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.rules.flaky == .fail else { return }
        let exempt = input.exempt
        findings.violations += input.run.flakyTests.filter { !exempt.contains($0.id) }.sorted { $0.id < $1.id }
            .map { .testFlaky(id: $0.id, attempts: $0.attempts.count) }
    }

    static func summary(_ count: Int) -> String { Figures.counted(count, "test") + " flaky" }
}

extension Violation {
    /// A test failed and then passed on the same tree, and the policy does not let that pass.
    public static func testFlaky(id: TestID, attempts: Int) -> Violation {
        Violation(
            rule: FlakyTests.code, subject: .test(id), title: id.description, reason: flakyReason(attempts: attempts),
            hint: "Repair it, or put it under tests.quarantine until it is repaired.",
            observed: Figures.counted(attempts, "attempt"), required: Figures.counted(1, "attempt"))
    }

    /// The words for a test that failed and then passed.
    public static func flakyReason(attempts: Int) -> String {
        "is flaky: it failed and then passed on the same tree, in \(Figures.counted(attempts, "attempt"))."
    }
}
