import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct FailureCauseWordsTests {
    private static let tests = (0..<12).map { TestID(module: "A", suite: "", name: "t\($0)()") }
    private static let since = FailureOrigin.FirstFailure(
        run: SampleRuns.id(4), commit: String(repeating: "ab", count: 20), author: nil, startedAt: nil, isFirst: true)

    private func explanation(
        _ causes: [FailureCause], origins: [FailureOrigin] = [], obstacle: String? = nil
    ) throws -> FailureExplanation {
        var verdict = try Verdict(judging: SampleRuns.passing(), by: Policy())
        verdict.causes = FailureCauses(causes, obstacle: obstacle)
        verdict.failureOrigins = origins
        return FailureExplanation(verdict)
    }

    private static func cause(
        _ number: Int, _ kind: FailureCause.Kind, _ doubt: FailureCause.Doubt? = nil, alone: TrialTally = TrialTally(),
        company: TrialTally = TrialTally(), fellows: [TestID] = [], base: TrialTally = TrialTally(),
        storedRun: RunID? = nil, functions: [String] = [], variables: [String]? = nil
    ) -> FailureCause {
        FailureCause(
            test: tests[number], kind: kind, doubt: doubt, alone: alone, company: company, fellows: fellows, base: base,
            storedRun: storedRun, functions: functions, variables: variables)
    }

    private static let failed = TrialTally(failed: 3)
    private static let passed = TrialTally(passed: 3)
    private static let run = SampleRuns.id(1).short

    static let told: [(FailureCause, String)] = [
        (
            cause(0, .yours, alone: failed, base: passed, functions: ["URLRule.match", "f"]),
            "Yours: it fails here 3 of 3 times, and on the base 0 of 3; it executes URLRule.match, f, which changed."
        ),
        (
            cause(0, .yours, alone: failed, storedRun: SampleRuns.id(1), functions: ["f"]),
            "Yours: it fails here 3 of 3 times, and run \(run) of the base passed it; it executes f, which changed."
        ),
        (
            cause(0, .yours, alone: TrialTally(passed: 17, failed: 3), base: passed, functions: ["f"]),
            "Yours, a new flake: it fails here 3 of 20 times (5 to 37 %) and on the base 0 of 3; "
                + "it executes f, which changed."
        ),
        (
            cause(1, .broken, base: failed),
            "Broken before this change: it fails on the base in the same way, 3 of 3 times, "
                + "since run \(since.run.short) (commit abababababab)."
        ),
        (
            cause(0, .broken, storedRun: SampleRuns.id(1)),
            "Broken before this change: run \(run) of the base failed it in the same way."
        ),
        (
            cause(0, .flaky, alone: TrialTally(passed: 17, failed: 3), base: TrialTally(passed: 9, failed: 1)),
            "Flaky: repeated here it fails 3 of 20 times (5 to 37 %), on the base 1 of 10."
        ),
        (
            cause(0, .flaky, alone: TrialTally(passed: 17, failed: 3), base: TrialTally(passed: 10)),
            "Flaky: repeated here it fails 3 of 20 times (5 to 37 %), on the base 0 of 10; nobody executes the change."
        ),
        (
            cause(0, .flaky, alone: TrialTally(passed: 1), storedRun: SampleRuns.id(1)),
            "Flaky: repeated here it fails 0 of 1 times (0 to 80 %); run \(run) of other sources failed it, too."
        ),
        (
            cause(0, .environment, base: failed, storedRun: SampleRuns.id(1)),
            "The environment: it fails on the base now, 3 of 3 times and in the same way, "
                + "and run \(run) of the same sources passed it. "
                + "The machine, the clock, the network or a service differs."
        ),
        (
            cause(0, .environment, base: failed, storedRun: SampleRuns.id(1), variables: ["MODE", "TZ"]),
            "The environment: it fails on the base now, 3 of 3 times and in the same way, "
                + "and run \(run) of the same sources passed it with other variables: MODE, TZ. "
                + "These are why, or the machine, the clock, the network or a service."
        ),
        (
            cause(0, .order, alone: passed, company: TrialTally(failed: 2)),
            "The order: alone it passes 3 of 3 times, among the other tests it fails 2 of 2 times."
        ),
        (
            cause(0, .order, alone: passed, fellows: [tests[1]]),
            "The order: alone it passes 3 of 3 times, in the company of A.t1() it fails."
        ),
        (cause(0, .new), "New: the base has no such test."),
        (
            cause(0, .new, functions: ["URLRule.match"]),
            "New: the base has no such test; it executes URLRule.match, which changed."
        ),
        (
            cause(0, .unknown, .base, alone: failed),
            "Unknown why: repeated here it fails 3 of 3 times (43 to 100 %), and nothing is known of the base: "
                + "no time. A run on the base would tell."
        ),
        (
            cause(0, .unknown, .otherFailure, alone: failed, base: failed),
            "Unknown why: it fails on the base as well, and nothing shows that it does so in the same way. "
                + "Mend the base first, then run again."
        ),
        (
            cause(0, .unknown, .otherPlace, alone: failed, base: failed),
            "Unknown why: it fails on the base as well, 3 of 3 times and in the same way, but in another folder, "
                + "or without the tests around it, which may be why. "
                + "A run of the base in this folder would tell, or kanmon run --commit."
        ),
        (
            cause(0, .unknown, .otherPlace, alone: failed),
            "Unknown why: a stored run of the base failed it as well and in the same way, but in another folder, "
                + "or without the tests around it, which may be why. "
                + "A run of the base in this folder would tell, or kanmon run --commit."
        ),
        (
            cause(0, .unknown, .leftBehind, alone: failed, base: failed),
            "Unknown why: it fails on the base as well, 3 of 3 times and in the same way, "
                + "but not with an empty home folder and an empty folder for temporary files. "
                + "What tests have left there may be why, those of this change among them. "
                + "Remove what they keep there, then run again."
        ),
        (
            cause(0, .unknown, .indirect, alone: failed, base: passed),
            "Unknown why: repeated here it fails 3 of 3 times (43 to 100 %), on the base 0 of 3, "
                + "and it executes nothing of the change by itself. "
                + "What other tests leave behind may reach it, or something besides the sources differs."
        ),
        (
            cause(0, .unknown, .tooFew, alone: failed),
            "Unknown why: repeated here it fails 3 of 3 times (43 to 100 %), the base was not run: no time. "
                + "That is too few to tell; a larger causes.budget would."
        ),
        (
            cause(0, .unknown, .tooFew, base: TrialTally(failed: 1)),
            "Unknown why: it was not repeated here, on the base 1 of 1. "
                + "That is too few to tell; a larger causes.budget would."
        ),
        (
            cause(0, .unreached, alone: failed, base: passed),
            "Not reached: it fails here 3 of 3 times and on the base 0 of 3, though nobody executes the change. "
                + "Something besides the sources differs: a file, a variable, what was built."
        ),
        (
            cause(
                0, .unreached, alone: failed, base: passed, storedRun: SampleRuns.id(1), variables: ["MODE", "TZ"]),
            "Not reached: it fails here 3 of 3 times and on the base 0 of 3, though nobody executes the change. "
                + "Something besides the sources differs: run \(run) of the base passed it here with other variables, "
                + "MODE, TZ; or it is a file, or what was built."
        ),
    ]

    @Test(arguments: told) func `each cause is told with its proof`(cause: FailureCause, words: String) throws {
        let origins = [FailureOrigin(test: Self.tests[1], kind: .redOnBase(since: Self.since))]
        #expect(
            try explanation([cause], origins: origins, obstacle: "no time").words(on: cause.test) == words)
    }

    @Test func `one sentence counts the causes`() throws {
        let origins = (0..<6).map { number in
            FailureOrigin(
                test: Self.tests[number],
                kind: [1, 2].contains(number) ? .redOnBase(since: Self.since) : .new)
        }
        let causes = [
            Self.cause(0, .yours, alone: Self.failed, base: Self.passed, functions: ["URLRule.match"]),
            Self.cause(1, .broken, base: Self.failed), Self.cause(2, .broken, base: Self.failed),
            Self.cause(3, .flaky, alone: TrialTally(passed: 17, failed: 3)),
            Self.cause(4, .unknown, .base),
        ]
        #expect(
            try explanation(causes, origins: origins).inShort
                == "6 failed: 1 is yours (URLRule.match), 2 were broken before this change, since abababababab, "
                + "1 is flaky (3 of 20), of 1 nobody can say why, 1 was not looked at.")
        #expect(try explanation([causes[0]], origins: [origins[0]]).inShort == nil)
        let damaged = try explanation([], obstacle: "it is damaged")
        #expect(damaged.inShort == "Why they failed is not known: it is damaged.")
        let others = FailureCause.Kind.allCases.enumerated().map { Self.cause($0, $1) }
        #expect(
            try explanation(others).inShort
                == "8 failed: 1 is yours, 1 was broken before this change, 1 is flaky, 1 fails by the environment, "
                + "1 depends on the order, 1 is not reached by the change, 1 is new, of 1 nobody can say why.")
    }

    @Test func `where nobody looked for a cause, stored runs are told as before`() throws {
        var verdict = try Verdict(judging: SampleRuns.passing(), by: Policy())
        verdict.failureOrigins = [
            FailureOrigin(test: Self.tests[0], kind: .new), FailureOrigin(test: Self.tests[1], kind: .newTest),
        ]
        #expect(FailureExplanation(verdict).inShort == verdict.originsInShort)
        #expect(FailureExplanation(verdict).words(on: Self.tests[0]) == "New: it passed on the base.")
        verdict.causes = FailureCauses([Self.cause(1, .new)])
        #expect(FailureExplanation(verdict).words(on: Self.tests[0]) == "New: it passed on the base.")
        #expect(FailureExplanation(verdict).words(on: Self.tests[1]) == "New: the base has no such test.")
    }

    @Test func `tests that failed for one reason are counted`() throws {
        var run = SampleRuns.passing()
        run.tests = (0..<37).map { number in
            TestResult(
                id: TestID(module: "CoreTests", suite: "S", name: "t\(number)()"), library: .swiftTesting,
                outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "Caught error: refused")])])
        }
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(
            FailureExplanation(verdict, of: run).commonReasons
                == ["37 tests failed for one reason: Caught error: refused"])
    }
}
