import RunModel
import TestSupport
import Testing

@testable import Gate

/// A failure that the base has, too, is let through only where both settings allow it, a stored run of the base proves it, and nothing
/// that decides is unknown.
@Suite struct AllowedFailureTests {
    /// A run of a branch in which one test failed, with everything that lets the failure through.
    struct Case: Sendable {
        var trial = Trial()
        var causes: FailureCauses?

        init() {
            trial.run.revision?.branch = "topic"
            trial.policy.allowsBrokenBase = true
            trial.baseline.settings?.policy.allowsBrokenBase = true
            trial.run.tests[0].arguments = []
            fail(0)
            if let stored = trial.baseline.run {
                trial.baseline.run = BaseRun(
                    id: stored.id, modules: stored.modules, targets: stored.targets, tests: trial.run.tests)
            }
            causes = FailureCauses(
                [FailureCause(test: test, kind: .broken, sameRuns: [SampleRuns.id(7), SampleRuns.id(1)])],
                base: trial.baseline.commit?.commit)
        }

        /// The test that fails on the base, too.
        var test: TestID { trial.run.tests[0].id }

        mutating func fail(_ index: Int, _ outcome: Outcome = .failed, _ message: String = "x == 1") {
            trial.run.tests[index].outcome = outcome
            let issue = AllowedFailureTests.issue(message)
            trial.run.tests[index].attempts = [TestAttempt(outcome: outcome, issues: [issue])]
        }

        /// Changes the cause of the failure.
        mutating func explain(_ change: (inout FailureCause) -> Void) {
            guard var found = causes?.entries.first else { return }
            change(&found)
            causes?.entries = [found]
        }

        /// Changes the stored run of the base.
        mutating func store(_ outcome: Outcome?) {
            guard let stored = trial.baseline.run else { return }
            var tests = trial.run.tests
            if let outcome { tests[0].outcome = outcome } else { tests.removeFirst() }
            trial.baseline.run = BaseRun(
                id: stored.id, modules: stored.modules, targets: stored.targets, tests: tests)
        }

        func verdict(_ waivers: Waiver...) throws -> Verdict {
            var baseline = trial.baseline
            baseline.waivers.waivers = waivers
            return try Verdict(
                judging: trial.run, by: trial.policy, against: baseline, changed: trial.comparison(with: []),
                causes: causes)
        }
    }

    private static func issue(_ message: String) -> RunModel.Issue {
        Issue(message: message, location: SourceLocation(path: "Tests/A.swift", line: 3))
    }

    /// What keeps a failure of the base from being let through.
    struct Obstacle: Sendable, CustomTestStringConvertible {
        var name: String
        var change: @Sendable (inout Case) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout Case) -> Void) {
            (self.name, self.change) = (name, change)
        }

        var testDescription: String { name }
    }

    private static let settings: [Obstacle] = [
        Obstacle("off in the run") { $0.trial.policy.allowsBrokenBase = false },
        Obstacle("off at the base") { $0.trial.baseline.settings?.policy.allowsBrokenBase = false },
        Obstacle("the package is not in the base") { $0.trial.baseline.settings = nil },
    ]

    private static let classes: [Obstacle] = FailureCause.Kind.allCases.filter { $0 != .broken }.map { kind in
        Obstacle("the cause is \(kind.rawValue)") { found in found.explain { $0.kind = kind } }
    }

    private static let proofs: [Obstacle] = [
        Obstacle("nobody looked for causes") { $0.causes = nil },
        Obstacle("nobody looked at this failure") { $0.causes?.entries = [] },
        Obstacle("only repeated on the base") { found in found.explain { $0.sameRuns = nil } },
        Obstacle("the stored run failed it in another way") { found in
            found.explain { $0.sameRuns = [SampleRuns.id(7)] }
        },
        Obstacle("the causes are about another base") { $0.causes?.base = String(repeating: "0b", count: 20) },
        Obstacle("the causes are about no base") { $0.causes?.base = nil },
        Obstacle("no run of the base is stored") { $0.trial.baseline.run = nil },
        Obstacle("there is no base") { $0.trial.baseline.commit = nil },
        Obstacle("the base passed it") { $0.store(.passed) },
        Obstacle("it crashed on the base") { $0.store(.crashed) },
        Obstacle("the base has no such test") { $0.store(nil) },
        Obstacle("the message is cut") { found in
            found.fail(0, .failed, String(repeating: "m", count: FailureSample.longestMessage))
        },
        Obstacle("not all issues are kept") { found in
            let issues = (0...FailureSample.mostIssues).map { issue("\($0)") }
            found.trial.run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: issues)]
        },
        Obstacle("it did not say why it failed") { $0.trial.run.tests[0].attempts = [] },
        Obstacle("another attempt failed in another way") { found in
            let other = TestAttempt(outcome: .failed, issues: [issue("y == 2")])
            found.trial.run.tests[0].attempts.insert(other, at: 0)
        },
        Obstacle("another attempt failed at more elements of a loop") { found in
            let other = TestAttempt(outcome: .failed, issues: [issue("x == 1"), issue("x == 1")])
            found.trial.run.tests[0].attempts.insert(other, at: 0)
        },
        Obstacle("nobody knows for which argument it failed") { $0.trial.run.tests[0].arguments = ["1", "2"] },
    ]

    private static let bases: [Obstacle] = BaseCommit.Kind.allCases.filter { $0 != .mergeBase }.map { kind in
        Obstacle("the base is \(kind.rawValue)") { $0.trial.baseline.commit?.kind = kind }
    }

    private static let branches: [Obstacle] = [
        Obstacle("nobody knows the branch") { $0.trial.run.revision?.branch = nil },
        Obstacle("outside of git") { $0.trial.run.revision = nil },
        Obstacle("the default branch of a remote") { $0.trial.run.revision?.branch = "main" },
        Obstacle("the default branch here") { found in
            found.trial.baseline.commit?.name = "main"
            found.trial.run.revision?.branch = "main"
        },
        Obstacle("the default branch, as a server names it that builds it") { found in
            found.trial.baseline.commit?.name = "main"
            found.trial.run.revision?.branch = "origin/main"
        },
        Obstacle("a branch without a name") { $0.trial.run.revision?.branch = "" },
        Obstacle("several bases") { found in
            found.trial.baseline.others = [Baseline.OtherBase(found.trial.baseline)]
        },
    ]

    private static let ends: [Obstacle] = [
        Obstacle("it crashed here") { $0.fail(0, .crashed) },
        Obstacle("another test crashed") { $0.fail(2, .crashed) },
        Obstacle("another test did not end in time") { $0.fail(2, .timedOut) },
        Obstacle("another test has no end") { found in
            found.trial.run.tests[2].outcome = .notRun
            found.trial.run.tests[2].attempts = []
        },
        Obstacle("another test crashed before it passed") { found in
            found.trial.run.tests[2].attempts.insert(TestAttempt(outcome: .crashed), at: 0)
        },
        Obstacle("evidence is missing") { $0.trial.run.gaps = [Gap(.testsNotRun, detail: "one of a list")] },
    ]

    @Test func `a failure of the base does not block where both settings let it pass`() throws {
        let found = Case()
        let verdict = try found.verdict()
        #expect(verdict.allowedFailures == [AllowedFailure(test: found.test, run: SampleRuns.id(1))])
        #expect(verdict.decision == .passed)
        #expect(verdict.violations == [])
        #expect(verdict.exitStatus == .passed)
        #expect(verdict.base?.changes == [])
        #expect(RunSummary(found.trial.run, verdict).allowedFailures == 1)
        #expect(try JSONRoundTrip.of(verdict) == verdict)
        var other = found
        other.trial.run.tests[0].arguments = ["1", "2"]
        other.trial.run.tests[0].attempts[0].issues[0].argument = "2"
        #expect(try other.verdict().decision == .passed)
        other = found
        other.trial.run.revision?.branch = "topic/main"
        #expect(try other.verdict().decision == .passed)
    }

    private static let obstacles: [Obstacle] = [settings, classes, proofs, bases, branches, ends].flatMap { $0 }

    @Test(arguments: obstacles)
    func `it blocks where one thing of all that is missing, or unknown`(obstacle: Obstacle) throws {
        var found = Case()
        obstacle.change(&found)
        let verdict = try found.verdict()
        #expect(verdict.allowedFailures == [])
        #expect(verdict.decision != .passed)
        #expect(verdict.violations.contains { $0.isTestFailure && $0.subject == .test(found.test) })
    }

    @Test func `a waiver lets the setting come in, and no failure before the base has it`() throws {
        var found = Case()
        found.trial.baseline.settings?.policy.allowsBrokenBase = false
        let verdict = try found.verdict(GateChangeTests.waiver("broken-base-allowed"))
        #expect(verdict.base?.waived.map(\.code) == [.brokenBaseAllowed])
        #expect(verdict.violations.map(\.rule) == ["tests"])
        #expect(verdict.allowedFailures == [])
    }

    @Test func `what else fails, and every other rule, still blocks`() throws {
        var found = Case()
        found.fail(2)
        let other = found.trial.run.tests[2].id
        let verdict = try found.verdict()
        #expect(verdict.allowedFailures.map(\.test) == [found.test])
        #expect(
            verdict.violations == [.testFailed(id: other, outcome: .failed, issue: Self.issue("x == 1"))])
        #expect(verdict.exitStatus == .testsFailed)
        found = Case()
        found.trial.policy.minimumTests = 5
        let few = try found.verdict()
        #expect(few.violations.map(\.rule) == ["minimum-tests"])
        #expect(few.allowedFailures.map(\.test) == [found.test])
        #expect(few.exitStatus == .gateFailed)
    }

    @Test func `what is in quarantine is no failure of the base`() throws {
        var found = Case()
        let day = try #require(CalendarDay("2026-02-01"))
        let entry = QuarantineEntry(test: found.test.description, owner: "ana", reason: "waits", expires: day)
        found.trial.policy.quarantine = [entry]
        found.trial.baseline.settings?.policy.quarantine = [entry]
        let verdict = try found.verdict()
        #expect(verdict.decision == .passed)
        #expect(verdict.allowedFailures == [])
    }

    @Test func `a policy without the setting is written down as before there was one`() throws {
        var policy = Policy(allowsBrokenBase: true)
        #expect(try JSONRoundTrip.of(policy) == policy)
        #expect(policy != Policy() && policy.allowsBrokenBase)
        policy.allowsBrokenBase = false
        #expect(policy == Policy())
        #expect(policy.demands == Policy().demands)
    }
}
