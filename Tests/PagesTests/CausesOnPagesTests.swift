import Gate
import Pages
import RunModel
import TestSupport
import Testing

extension SamplePages {
    /// A run whose two failures have a cause each, and one error in common.
    static var explained: RunPage {
        var run = SampleRuns.failing()
        for index in run.tests.indices where run.tests[index].outcome.isFailure {
            let issue = Issue(message: "Caught error: <b>refused")
            run.tests[index].outcome = .failed
            run.tests[index].attempts = [TestAttempt(outcome: .failed, issues: [issue])]
        }
        var verdict = SampleVerdicts.of(run)
        let failed = run.failures.map(\.id)
        verdict.causes = FailureCauses([
            FailureCause(
                test: failed[0], kind: .yours, alone: TrialTally(failed: 3), base: TrialTally(passed: 3),
                functions: ["<i>f</i>"]),
            FailureCause(test: failed[1], kind: .new),
        ])
        return RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: now)
    }
}

@Suite struct CausesOnPagesTests {
    @Test func `the page of a run says whose failures they are, and each card why`() throws {
        let html = try PageRenderer().render(SamplePages.explained)
        #expect(try GeneralRenderer.get().render(SamplePages.explained) == html)
        #expect(
            html.contains(
                """
                <h2>Failed tests</h2>
                <p class="note"><bdi>2 failed: 1 is yours (&lt;i&gt;f&lt;/i&gt;), 1 is new.</bdi></p>
                <p class="note"><bdi>2 tests failed for one reason: Caught error: &lt;b&gt;refused</bdi></p>
                """))
        #expect(html.contains("Yours: it fails here 3 of 3 times, and on the base 0 of 3;"))
        #expect(html.contains("New: the base has no such test."))
    }
}
