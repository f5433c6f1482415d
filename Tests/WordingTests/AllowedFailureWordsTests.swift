import Gate
import RunModel
import TestSupport
import Testing
import Wording

/// That failures of the base were let through: first of all in the first line, and at each of them.
@Suite struct AllowedFailureWordsTests {
    private let run: TestRun
    private let allowed: [AllowedFailure]

    init() {
        var run = SampleRuns.passing()
        run.tests[0].outcome = .failed
        allowed = [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(1))]
        self.run = run
    }

    private func verdict(_ decision: Decision, _ violations: [Violation] = [], gaps: [Gap] = []) -> Verdict {
        Verdict(
            decision: decision, violations: violations, gaps: gaps, modules: [], policy: Policy(),
            allowedFailures: allowed)
    }

    @Test func `every headline says how many, and that of a run that passed says it first`() {
        #expect(
            Headline(run, verdict(.passed)).text == "✓ Passed: 1 failure of the base let through, 1 test, 1 skipped")
        let blocked = verdict(.failed, [.testFailed(id: run.tests[2].id, outcome: .failed, issue: nil)])
        #expect(Headline(run, blocked).text == "✕ Blocked: 1 test failed, 1 failure of the base let through")
        let undecided = verdict(.undecided, gaps: [Gap(.noTests, detail: "none")])
        #expect(Headline(run, undecided).text.hasSuffix("; 1 failure of the base let through"))
        var two = verdict(.passed)
        two.allowedFailures += allowed
        #expect(two.allowanceWords == "2 failures of the base let through")
        two.allowedFailures = []
        #expect(two.allowanceWords == nil)
        #expect(RunSummary(run, verdict(.passed)).allowanceWords == "1 failure of the base let through")
    }

    @Test func `a failure that is let through says by which run of the base, and is not red`() {
        let (found, failed) = (verdict(.passed), run.tests[0])
        let words = "let through, as run \(SampleRuns.id(1).short) of the base failed it in the same way"
        #expect(found.reason(of: failed) == "failed, \(words)")
        #expect(found.sign(of: failed) == "~")
        #expect(found.toleratesFailure(of: failed) && !found.excuses(failed))
        var other = run.tests[2]
        other.outcome = .failed
        #expect(found.reason(of: other) == "failed" && found.sign(of: other) == "✕")
        #expect(!found.toleratesFailure(of: other))
    }
}
