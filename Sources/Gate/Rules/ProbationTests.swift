public import RunModel

/// How new and changed tests must have been repeated, without a failure, for a run to pass.
public struct ProbationDemand: Sendable, Hashable, Codable {
    /// How often each is to be repeated alone, and as often in company.
    public var runs: Int
    /// How long all of it may take.
    public var budget: Duration

    package init(runs: Int, budget: Duration) { (self.runs, self.budget) = (runs, budget) }
}

extension GateChangeCode {
    static let probationWeakened = GateChangeCode(
        "probation-weakened",
        "New and changed tests that fail when repeated do not block any more, or are repeated less.")
}

/// No new or changed test fails when it is repeated, and each was repeated at least once, where the policy says so.
enum ProbationTests: Rule {
    static let code = "probation"
    static let changes: [GateChangeCode] = [.probationWeakened]

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "New and changed tests", words: policy.probation.map { "block when they fail in \(words($0))" })]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.probation, at: "tests.probation.on-failure", .probationWeakened) { head, base in
            guard let base else { return false }
            return head.map { $0.runs < base.runs || $0.budget < base.budget } ?? true
        } words: {
            $0.map { "block, \(words($0))" } ?? "report"
        }
    }

    private static func words(_ demand: ProbationDemand) -> String {
        "\(Figures.counted(demand.runs, "run")) within \(Figures.duration(demand.budget))"
    }

    /// Which tests had to be repeated is for the run to say, as it says which tests there are; a run that says nothing has not repeated them.
    static func judge(_ input: RuleInput, into findings: inout Findings) {
        let exempt = input.exempt
        // A test that failed blocks already, and what is missing is told: then none was repeated.
        guard input.rules.probation != nil, input.isWhole, input.run.gaps.isEmpty,
            input.run.failures.allSatisfy({ exempt.contains($0.id) })
        else { return }
        guard input.isCompared, let base = input.applied.comparison?.baseline.commit else {
            findings.needsBase.append("tests.probation")
            return
        }
        guard let probation = input.probation, probation.isAgainst(base) else {
            let name = base.commit.prefix(12)
            findings.gaps.append(
                Gap(
                    .testsUnproven,
                    detail: "whether tests were repeated that are new or changed since \(name) is not known"))
            return
        }
        let failures = probation.failures.filter { !exempt.contains($0.test) }
        findings.violations += failures.map { .probationFailed($0, seed: probation.seed) }
        let unproven = probation.entries.filter(\.isUnproven).count + probation.unlisted
        guard unproven > 0 else { return }
        let all = Figures.counted(probation.entries.count + probation.unlisted, "new or changed test")
        let reason = probation.obstacle ?? "the time for it, \(Figures.duration(probation.budget)), was over"
        findings.gaps.append(
            Gap(.testsUnproven, detail: "\(Figures.grouped(unproven)) of \(all) never ran to an end again: \(reason)"))
    }

    static func summary(_ count: Int) -> String {
        Figures.counted(count, "new or changed test") + " failed when repeated"
    }
}

extension Probation {
    /// Whether it is about what changed since a base.
    func isAgainst(_ commit: BaseCommit) -> Bool {
        let key = Name(BaseCommit.key(of: [commit]))
        return base.split(separator: " ").contains { Name($0) == key }
    }
}

extension Violation {
    /// A new or changed test failed when it was repeated, and the policy does not let that pass.
    public static func probationFailed(_ entry: Probation.Entry, seed: UInt64) -> Violation {
        let tally = entry.all
        let issue = entry.firstFailure?.sample.issues.first
        return Violation(
            rule: ProbationTests.code, subject: .test(entry.test), title: entry.test.description,
            reason: entry.sentence(seed: seed),
            hint: "Repair it; kanmon stress repeats it for longer.",
            observed: Figures.counted(tally.failures, "failure"),
            required: "none in \(Figures.counted(tally.executions, "repetition"))",
            message: issue.map { Message(text: $0.message, location: $0.location) })
    }
}
