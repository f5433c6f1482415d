import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// What a run must show of tests that are new or changed.
@Suite struct ProbationRuleTests {
    private static let policy = Policy(probation: ProbationDemand(runs: 20, budget: .seconds(30)))
    private static let first = SampleRuns.passing().tests[0].id
    private static let second = SampleRuns.passing().tests[2].id

    private static func baseline(_ commit: String = "0a", others: [Baseline.OtherBase]? = nil) -> Baseline {
        let settings = GateSettings(policy: policy, file: ".kanmon.yml")
        let base = BaseCommit(commit: String(repeating: commit, count: 20), kind: .mergeBase, name: "origin/main")
        return Baseline(commit: base, settings: settings, head: settings, others: others)
    }

    private static func comparison(_ baseline: Baseline) -> ChangeComparison? {
        baseline.commit.map { ChangeComparison(base: $0, changes: []) }
    }

    private static func entry(_ test: TestID, _ counts: Probation.Count...) -> Probation.Entry {
        Probation.Entry(test: test, reason: .new, counts: counts)
    }

    private static func probation(_ entries: [Probation.Entry], base: String = "0a") -> Probation {
        Probation(
            base: base.split(separator: " ").map { String(repeating: String($0), count: 20) }.joined(separator: " "),
            runs: 20, budget: .seconds(30), seed: 482_915_377, entries: entries)
    }

    private static func judge(
        _ probation: Probation?, by policy: Policy = Self.policy, _ run: TestRun = SampleRuns.passing(),
        against baseline: Baseline? = Self.baseline()
    ) throws -> Verdict {
        try Verdict(
            judging: run, by: policy, against: baseline, changed: baseline.flatMap(comparison), probation: probation)
    }

    private static let passing = entry(
        first, Probation.Count(.alone, TrialTally(passed: 20)), Probation.Count(.company, TrialTally(passed: 20)))

    private static let failing: Probation.Entry = {
        var entry = Self.entry(
            second, Probation.Count(.alone, TrialTally(passed: 20)),
            Probation.Count(.drawnCompany, TrialTally(passed: 17, failed: 3)))
        let issue = Issue(
            message: "Expectation failed: (count -> 2) == 1\n  count -> 2",
            location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 42, column: 9))
        entry.firstFailure = Probation.Failure(
            way: .drawnCompany, repetition: 7, sample: FailureSample(outcome: .failed, issues: [issue]),
            fellows: [first])
        return entry
    }()

    private static func gap(_ detail: String) -> [Gap] { [Gap(.testsUnproven, detail: detail)] }

    @Test func `tests that never fail when repeated pass, and how far that goes is said`() throws {
        let verdict = try Self.judge(Self.probation([Self.passing]))
        #expect(verdict.decision == .passed)
        #expect(verdict.probation == Self.probation([Self.passing]))
        #expect(
            Self.passing.sentence(seed: 1)
                == "is new: 0 of 40 repetitions failed, so that it fails in less than 7.3 % of its runs, at 95 %.")
        #expect(try JSONRoundTrip.of(verdict) == verdict)
    }

    @Test func `a test that fails when repeated blocks only where the policy says so`() throws {
        let probation = Self.probation([Self.passing, Self.failing])
        #expect(try Self.judge(probation, by: Policy(), against: nil).decision == .passed)
        let verdict = try Self.judge(probation)
        #expect(verdict.violations == [.probationFailed(Self.failing, seed: 482_915_377)])
        #expect(verdict.exitStatus == .gateFailed)
        let violation = try #require(verdict.violations.first)
        #expect(
            violation.sentence
                == "\(Self.second) is new: 3 of 40 repetitions failed. First in repetition 7, among tests that seed "
                + "482915377 drew, at Tests/CoreTests/CoreTests.swift:42: Expectation failed: (count -> 2) == 1; "
                + "count -> 2")
        #expect(violation.observed == "3 failures")
        #expect(violation.required == "none in 40 repetitions")
        #expect(try JSONRoundTrip.of(verdict) == verdict)
    }

    @Test func `a test in quarantine blocks nothing until its last day`() throws {
        var policy = Self.policy
        for (day, rules) in [("2026-01-02", [] as [String]), ("2026-01-01", ["quarantine", "probation"])] {
            policy.quarantine = [
                QuarantineEntry(
                    test: Self.second.description, owner: "ana", reason: "r", expires: try #require(CalendarDay(day)))
            ]
            var baseline = Self.baseline()
            baseline.settings?.policy = policy
            baseline.head.policy = policy
            let verdict = try Self.judge(Self.probation([Self.failing]), by: policy, against: baseline)
            #expect(verdict.violations.map(\.rule) == rules)
        }
    }

    @Test(arguments: [nil, "0b", "", "0a0a", "0b 0c"] as [String?])
    func `what is not known to be about this base proves nothing`(base: String?) throws {
        let verdict = try Self.judge(base.map { Self.probation([Self.passing], base: $0) })
        #expect(
            verdict.gaps
                == Self.gap("whether tests were repeated that are new or changed since 0a0a0a0a0a0a is not known"))
        #expect(verdict.exitStatus == .undecided)
    }

    @Test func `of several bases each must be one that the repeated tests were chosen by`() throws {
        let other = Self.baseline("0b")
        let both = Self.baseline(others: [Baseline.OtherBase(other, changed: Self.comparison(other))])
        #expect(try Self.judge(Self.probation([], base: "0a 0b"), against: both).decision == .passed)
        #expect(
            try Self.judge(Self.probation([]), against: both).gaps
                == Self.gap("whether tests were repeated that are new or changed since 0b0b0b0b0b0b is not known"))
        let failed = try Self.judge(Self.probation([Self.failing], base: "0a 0b"), against: both)
        #expect(failed.violations == [.probationFailed(Self.failing, seed: 482_915_377)])
    }

    @Test func `tests that were not repeated to an end prove nothing`() throws {
        var probation = Self.probation([Self.passing, Self.entry(Self.second)])
        #expect(
            try Self.judge(probation).gaps
                == Self.gap("1 of 2 new or changed tests never ran to an end again: the time for it, 30.0 s, was over"))
        probation.unlisted = 3
        probation.obstacle = "no space is left"
        #expect(
            try Self.judge(probation).gaps
                == Self.gap("4 of 5 new or changed tests never ran to an end again: no space is left"))
        #expect(try Self.judge(probation, by: Policy(), against: nil).decision == .passed)
        // A test that was repeated less often than was wanted has the bound that it has.
        probation = Self.probation([Self.entry(Self.first, Probation.Count(.alone, TrialTally(passed: 1)))])
        probation.isCutShort = true
        #expect(try Self.judge(probation).decision == .passed)
    }

    @Test func `where no test is repeated nothing is demanded`() throws {
        var part = SampleRuns.passing()
        part.selection = Selection(filters: ["x"])
        #expect(try Self.judge(nil, part).gaps == [])
        var failed = SampleRuns.passing()
        failed.tests[0].outcome = .failed
        #expect(try Self.judge(nil, failed).violations.map(\.rule) == ["tests"])
        let undecided = SampleRuns.undecided()
        #expect(try Self.judge(nil, undecided).gaps == undecided.gaps)
        // There is nothing before the first commit.
        let none = Baseline(absence: "it is the first commit", head: GateSettings(policy: Self.policy))
        #expect(try Self.judge(nil, against: none).decision == .passed)
    }

    @Test func `a run that nobody compared has not shown which tests are new`() throws {
        #expect(
            try Self.judge(Self.probation([]), against: nil).gaps == [
                Gap(
                    .baseUnknown,
                    detail: "the run was not compared with a base, which tests.probation needs")
            ])
    }

    @Test func `where nobody knows the base no rule asks for it, and notes on lines are for rules on lines`() throws {
        var policy = Self.policy
        policy.patch = PatchRule(line: .zero)
        policy.ratchet = RatchetRule()
        #expect(try Self.judge(nil, by: policy, against: nil).gaps.map(\.code) == [.baseUnknown])
        #expect(try Self.judge(nil, by: policy.withoutBase, against: nil).gaps == [])
        // No run of the base is stored.
        #expect(try Self.judge(Self.probation([])).change?.notes == [])
        policy.ratchet = nil
        #expect(try Self.judge(Self.probation([]), by: policy).change?.notes.map(\.code) == [.baseRunMissing])
    }

    @Test func `a hang names the tests that waited, and narrow pools say nothing of how often a test fails`() {
        var entry = Self.entry(
            Self.first, Probation.Count(.alone, TrialTally(passed: 300)),
            Probation.Count(.oneThread, TrialTally(passed: 1, timedOut: 2)),
            Probation.Count(.twoThreads, TrialTally(passed: 3)))
        let issue = Issue(message: "It hung in semaphore_wait\n  at Tests/A.swift:3\n\n3\n4\n5")
        entry.firstFailure = Probation.Failure(
            way: .oneThread, repetition: 5, sample: FailureSample(outcome: .timedOut, issues: [issue]),
            waiting: ["a", "b", "c", "d"].map { TestID(module: "M", suite: "S", name: $0) })
        entry.reason = .uses("makeServer")
        #expect(
            entry.sentence(seed: 1)
                == "uses makeServer, which changed: 0 of 300 repetitions failed, so that it fails in less than 1 % of "
                + "its runs, at 95 %; 2 of 6 failed with one or two threads for the tasks of Swift. First in "
                + "repetition 5, alone, with one thread for the tasks of Swift, while M.S/a, M.S/b, M.S/c and 1 more "
                + "waited: It hung in semaphore_wait; at Tests/A.swift:3; 3; 4")
        entry.reason = nil
        entry.counts = []
        #expect(entry.sentence(seed: 1) == "it was not repeated to an end.")
    }

    @Test func `the whole command that repeats a failure is told, and whether that shows it again`() {
        let name = TestID(module: "M", suite: "S", name: "it's()")
        func told(_ way: Probation.Way, _ outcome: Outcome, _ fellows: [TestID]?, commit: String? = nil) -> String {
            let failure = Probation.Failure(
                way: way, repetition: 1, sample: FailureSample(outcome: outcome, issues: []), fellows: fellows)
            let counts = [
                Probation.Count(.alone, TrialTally(passed: 20)), Probation.Count(.oneThread, TrialTally(timedOut: 1)),
            ]
            return Probation.Entry(test: name, counts: counts, firstFailure: failure)
                .replayClause(seed: 7, commit: commit)
        }
        let command = #"kanmon stress 'M.S/it'\''s()'"#
        #expect(told(.oneThread, .timedOut, []) == " (\(command) --seed 7 repeats it; it comes again)")
        #expect(told(.oneThread, .failed, []) == " (\(command) --seed 7 repeats it; it may not come again)")
        #expect(
            told(.drawnCompany, .timedOut, [Self.first], commit: "9f3c2ab19f3c")
                == " (\(command) '\(Self.first)' --seed 7 --commit '9f3c2ab19f3c' repeats it; it may not come again)")
        #expect(
            told(.company, .failed, []) == " (\(command) --seed 7 --among-all repeats it; it may not come again)")
        #expect(told(.drawnCompany, .failed, nil) == " (it may not come again)")
        #expect(Probation.Entry(test: name).replayClause(seed: 7, commit: nil) == "")
        // Nobody draws it again, so that the seed says nothing.
        var failing = Self.failing
        failing.firstFailure?.fellows = nil
        #expect(failing.sentence(seed: 7).contains("First in repetition 7, among tests that were drawn, at"))
    }
}
