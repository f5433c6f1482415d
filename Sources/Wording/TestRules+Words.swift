public import Gate
public import RunModel

/// A remark on a test: that it is flaky, or in quarantine.
public struct TestRemark: Sendable, Hashable {
    /// The sign shown first, so that no meaning depends on color alone.
    public let sign: String
    /// The test.
    public let subject: String
    /// What follows the test; may hold untrusted text.
    public let words: String

    /// `CoreTests.URLTests/testHost is flaky: …`; may hold untrusted text.
    public var sentence: String { "\(subject) \(words)" }

    /// The tests that failed before they passed, ordered by identity.
    public static func flaky(_ run: TestRun) -> [TestRemark] {
        run.flakyTests.map { test in
            TestRemark(sign: "~", subject: test.title, words: FlakyWords.reason(attempts: test.attempts.count))
        }
    }

    /// The entries of the quarantine, in the order of the policy.
    public static func quarantine(_ verdict: Verdict) -> [TestRemark] {
        verdict.quarantine.map { standing in
            let outcome = standing.outcome.map(\.label) ?? "no such test"
            return TestRemark(
                sign: standing.fault != nil ? "✕" : standing.outcome?.isFailure == true ? "~" : "✓",
                subject: standing.entry.test,
                words: "\(outcome), \(standing.entry.words)"
            )
        }
    }
}

/// The words for a test that failed and then passed.
enum FlakyWords {
    static func reason(attempts: Int) -> String {
        "is flaky: it failed and then passed on the same tree, in \(Figures.counted(attempts, "attempt"))."
    }
}

extension Verdict {
    /// Whether a failed test is one that does not block, because it is in quarantine.
    public func excuses(_ test: TestResult) -> Bool { test.outcome.isFailure && quarantine(of: test.id) != nil }

    /// The sign of a failed test: `✕`, or `~` in quarantine.
    public func sign(of test: TestResult) -> String { excuses(test) ? "~" : test.outcome.sign }

    /// How a test failed: `failed`, or `failed, in quarantine until 2026-12-01`.
    public func reason(of test: TestResult) -> String {
        let until = excuses(test) ? quarantine(of: test.id).map { ", in quarantine until \($0.entry.expires)" } : nil
        return test.failure.reason + (until ?? "")
    }
}

extension QuarantineEntry {
    /// `in quarantine until 2026-12-01 for ana: waits for the name server`; untrusted text.
    public var words: String { "in quarantine until \(expires) for \(owner): \(reason)" }
}

extension QuarantineFault {
    /// The violation of an entry in words.
    func words(_ entry: QuarantineEntry) -> ViolationWords {
        let subject = "the quarantine of \(entry.test)"
        switch self {
        case .expired:
            return ViolationWords(
                subject: subject, reason: "ended on \(entry.expires) (\(entry.owner): \(entry.reason)).",
                cure: "Repair the test, or agree on a new day under tests.quarantine."
            )
        case .matchesNothing(let nearest):
            return ViolationWords(
                subject: subject, reason: "names no test of the package.",
                cure: nearest.map { "Write '\($0)'." } ?? "Remove it, if the test was renamed or is gone."
            )
        case .alwaysFails(let executions):
            return ViolationWords(
                subject: subject,
                reason: "hides a test that always fails: \(Figures.counted(executions, "time")) in a row.",
                cure: "Repair or remove the test: it is broken, not flaky."
            )
        }
    }
}

extension BudgetViolation {
    /// The violation in words: the median, the bound, and the executions of the median.
    var words: ViolationWords {
        let over =
            executions == 1
            ? "in its only known execution" : "median of its last \(Figures.grouped(executions)) executions"
        let place = machine.map { " on \($0)" } ?? ""
        return ViolationWords(
            subject: test.description,
            reason: "takes \(Figures.duration(median)) > \(Figures.duration(bound)), \(over)\(place).",
            cure: "Make it faster, or raise '\(pattern)' under tests.budgets."
        )
    }
}
