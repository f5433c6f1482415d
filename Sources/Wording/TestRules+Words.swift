public import Gate
public import RunModel

/// A remark on a test: that it is flaky, or in quarantine.
public struct TestRemark: Sendable, Hashable {
    /// The sign shown first, so that no meaning depends on color alone.
    public let sign: String
    /// The test.
    public let subject: String
    /// Its identity; `nil` where the run has no such test.
    public let test: TestID?
    /// What follows the test; may hold untrusted text.
    public let words: String

    /// `CoreTests.URLTests/testHost is flaky: …`; may hold untrusted text.
    public var sentence: String { "\(subject) \(words)" }

    /// The tests that failed before they passed, ordered by identity, each with its owner or author.
    public static func flaky(_ run: TestRun, _ owners: RunOwners? = nil) -> [TestRemark] {
        run.flakyTests.map { test in
            TestRemark(
                sign: "~", subject: test.title, test: test.id,
                words: Violation.flakyReason(attempts: test.attempts.count)
                    + (owners?.words(of: test).map { " \($0)" } ?? ""))
        }
    }

    /// The new and changed tests that were repeated, those that failed first, each with whom to ask about one that failed.
    public static func probation(_ run: TestRun, _ verdict: Verdict, _ owners: RunOwners? = nil) -> [TestRemark] {
        guard let probation = verdict.probation else { return [] }
        let results = Dictionary(run.tests.map { ($0.id, $0) }) { first, _ in first }
        let entries = probation.failures + probation.entries.filter { !$0.hasFailed }
        let commit = run.stressedCommit
        let remarks = entries.map { entry in
            let result = results[entry.test]
            let owner = entry.hasFailed ? result.flatMap { owners?.words(of: $0) } : nil
            return TestRemark(
                sign: entry.hasFailed ? "~" : entry.isUnproven ? "?" : "✓",
                subject: result?.title ?? entry.test.description, test: result?.id,
                words: entry.sentence(seed: probation.seed) + entry.replayClause(seed: probation.seed, commit: commit)
                    + (owner.map { " \($0)" } ?? ""))
        }
        guard let reason = probation.shortfall else { return remarks }
        return remarks + [TestRemark(sign: "?", subject: "Not everything was repeated:", test: nil, words: reason)]
    }

    /// The entries of the quarantine, in the order of the policy.
    public static func quarantine(_ verdict: Verdict) -> [TestRemark] {
        verdict.quarantine.map { status in
            let outcome = status.outcome.map(\.label) ?? "no such test"
            return TestRemark(
                sign: status.fault != nil ? "✕" : status.outcome?.isFailure == true ? "~" : "✓",
                subject: status.entry.test,
                test: status.id,
                words: "\(outcome), \(status.entry.words)"
            )
        }
    }
}

extension Probation {
    /// Why tests were not repeated as often as requested; `nil` if they were. Untrusted text.
    public var shortfall: String? {
        if let obstacle { return obstacle }
        if unlisted > 0 {
            return "there \(unlisted == 1 ? "is" : "are") \(Figures.counted(unlisted, "more new or changed test"))."
        }
        return isCutShort ? "the time for it, \(Figures.duration(budget)), was over." : nil
    }
}

extension Verdict {
    /// Whether a failed test does not block because it is in quarantine.
    public func excuses(_ test: TestResult) -> Bool { test.outcome.isFailure && quarantine(of: test.id) != nil }

    /// Why a failed test is let through: `let through, as run 4e7a10c2b9d3 of the base failed it in the same way`;
    /// `nil` if it blocks or is in quarantine.
    public func allowance(of test: TestResult) -> String? {
        guard test.outcome.isFailure, let entry = allowedFailures.first(where: { $0.test == test.id }) else {
            return nil
        }
        return "let through, as run \(entry.run.short) of the base failed it in the same way"
    }

    /// Whether a failed test does not block: it is in quarantine, or the base is broken in the same way.
    public func toleratesFailure(of test: TestResult) -> Bool { excuses(test) || allowance(of: test) != nil }

    /// `2 failures of the base let through`, for the first line of every form of the verdict; `nil` if there is none.
    public var allowanceWords: String? { Figures.allowance(allowedFailures.count) }

    /// The sign of a failed test: `✕`, or `~` for one that does not block.
    public func sign(of test: TestResult) -> String { toleratesFailure(of: test) ? "~" : test.outcome.sign }

    /// How a test failed: `failed`, `failed, in quarantine until 2026-12-01`, or `failed, let through, …`.
    public func reason(of test: TestResult) -> String {
        let until = excuses(test) ? quarantine(of: test.id).map { ", in quarantine \($0.term)" } : nil
        return test.outcome.label + (until ?? allowance(of: test).map { ", \($0)" } ?? "")
    }
}

extension RunSummary {
    /// `2 failures of the base let through`, in the words of its verdict; `nil` if there is none.
    public var allowanceWords: String? { Figures.allowance(allowedFailures) }
}

extension Figures {
    fileprivate static func allowance(_ count: Int) -> String? {
        count > 0 ? counted(count, "failure") + " of the base let through" : nil
    }
}

extension QuarantineEntry {
    /// `in quarantine until 2026-12-01 for ana`; untrusted text.
    fileprivate var clause: String { "in quarantine until \(expires) for \(owner)" }

    /// `in quarantine until 2026-12-01 for ana: waits for the name server`; untrusted text.
    public var words: String { "\(clause): \(reason)" }
}

extension QuarantineStatus {
    /// For how long: `until 2026-12-01`, or `ended on 2026-12-01`.
    public var term: String { "\(isInForce ? "until" : "ended on") \(entry.expires)" }

    /// Who answers for the test, and until when: `in quarantine until 2026-12-01 for ana`, or `its quarantine ended on 2026-12-01`; untrusted
    /// text.
    public var words: String { isInForce ? entry.clause : "its quarantine \(term)" }
}
