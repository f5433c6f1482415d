public import RunModel

/// Every test passes, but for those in quarantine, and those that the base is known to fail where the settings let that pass.
enum FailedTests: Rule {
    static let code = "tests"
    static let changes: [GateChangeCode] = [.brokenBaseAllowed]

    static func demands(of policy: Policy) -> [Demand] {
        policy.allowsBrokenBase ? [Demand(name: "Failures of the base", words: "do not block")] : []
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.allowsBrokenBase, at: "tests.allow-broken-base", .brokenBaseAllowed) { head, base in
            head && !base
        } words: {
            $0 ? "true" : "false"
        }
        // A waiver lets the setting come in. It lets no failure through before the base has it.
        if comparison.settings?.policy.allowsBrokenBase != true { comparison.rules.allowsBrokenBase = false }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let exempt = input.exempt.union(input.allowed)
        findings.violations += input.run.failures.filter { !exempt.contains($0.id) }.sorted { $0.id < $1.id }
            .map { .testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure) }
    }

    static func summary(_ count: Int) -> String { Figures.counted(count, "test") + " failed" }

    static func headline(_ violations: [Violation]) -> [String] {
        Outcome.allCases.compactMap { outcome in
            let count = violations.count { $0.observed == outcome.rawValue }
            return count > 0 ? "\(Figures.counted(count, "test")) \(outcome.label)" : nil
        }
    }
}

extension Violation {
    /// A test case failed, crashed or timed out.
    public static func testFailed(id: TestID, outcome: Outcome, issue: Issue?) -> Violation {
        Violation(
            rule: FailedTests.code, subject: .test(id), title: id.description, reason: outcome.label,
            observed: outcome.rawValue,
            message: issue.map { Message(text: $0.message, location: $0.location) })
    }
}
