import Gate
import RunModel
import TestSupport
import Testing
import Wording

/// What is said of new and changed tests that were repeated.
@Suite struct ProbationWordsTests {
    private let run = SampleRuns.passing()
    private let gone = TestID(module: "CoreTests", suite: "A", name: "gone()")

    /// A test that never failed, one of another tree that was not repeated, and one that failed.
    private var probation: Probation {
        Probation(
            base: "0a", runs: 20, budget: .seconds(30), seed: 7,
            entries: [
                Probation.Entry(
                    test: run.tests[0].id, reason: .changed,
                    counts: [Probation.Count(.alone, TrialTally(passed: 20))]),
                Probation.Entry(test: gone, reason: .file),
                Probation.Entry(
                    test: run.tests[2].id, reason: .new,
                    counts: [Probation.Count(.company, TrialTally(passed: 18, crashed: 2))],
                    firstFailure: Probation.Failure(
                        way: .company, repetition: 4, sample: FailureSample(outcome: .crashed, issues: []),
                        fellows: [])),
            ])
    }

    private func verdict(_ probation: Probation?, _ violations: [Violation] = []) -> Verdict {
        Verdict(
            decision: violations.isEmpty ? .passed : .failed, violations: violations, gaps: [], modules: [],
            policy: Policy(), probation: probation)
    }

    private func remarks(_ probation: Probation?) -> [String] {
        TestRemark.probation(run, verdict(probation)).map { "\($0.sign) \($0.sentence)" }
    }

    @Test func `tests that failed come first, and each says what came of it`() {
        let command = "kanmon stress '\(run.tests[2].id)' --seed 7 --among-all --commit '9f3c2ab19f3c'"
        let failed = "is new: 2 of 20 repetitions failed. First in repetition 4, among all tests: crashed"
        #expect(
            remarks(probation) == [
                "~ \(run.tests[2].title) \(failed) (\(command) repeats it; it may not come again)",
                "✓ \(run.tests[0].title) changed: 0 of 20 repetitions failed, so that it fails in less than 14 % of "
                    + "its runs, at 95 %.",
                "? CoreTests.A/gone() is in a file that changed: it was not repeated to an end.",
            ])
        #expect(
            TestRemark.probation(run, verdict(probation)).map(\.test) == [run.tests[2].id, run.tests[0].id, nil])
        #expect(remarks(nil) == [])
    }

    @Test func `what was not repeated as often as was wanted is said last`() {
        func last(_ change: (inout Probation) -> Void) -> String? {
            var changed = probation
            change(&changed)
            return remarks(changed).last
        }
        let begin = "? Not everything was repeated: "
        #expect(last { $0.isCutShort = true } == begin + "the time for it, 30.0 s, was over.")
        #expect(last { ($0.isCutShort, $0.unlisted) = (true, 1) } == begin + "there is 1 more new or changed test.")
        #expect(last { ($0.unlisted, $0.obstacle) = (1, "no space is left") } == begin + "no space is left")
    }

    @Test func `the headline counts what failed when repeated, whether or not it blocks`() {
        #expect(
            Headline(run, verdict(probation)).text == "✓ Passed: 2 tests, 1 skipped, 1 failed when repeated")
        let violation = Violation.probationFailed(probation.entries[2], seed: 7)
        #expect(
            Headline(run, verdict(probation, [violation])).text
                == "✕ Blocked: 1 new or changed test failed when repeated")
    }
}
