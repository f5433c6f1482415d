import Exports
import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct MarkdownReportTests {
    @Test func `entries are left out whole and counted`() {
        var run = SampleRuns.passing()
        run.tests = (1000..<3000).map {
            TestResult(
                id: TestID(module: "M", suite: "S", name: "t\($0)"), library: .xctest, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "line\n```\n@everyone")])]
            )
        }
        let verdict = Verdict(decision: .failed, violations: [], gaps: [], modules: [], policy: Policy())
        for limit in [0, 2000, 5000, 60_000] {
            let text = MarkdownReport.render(run, verdict, limit: limit)
            #expect(text.utf8.count <= max(2000, limit))
            let shown = text.split(separator: "\n").count { $0.hasPrefix("- ✕ **M\\.S/t") }
            #expect(shown > 0)
            #expect(text.contains("… \(Figures.counted(2000 - shown, "more failure")), omitted to keep the limit."))
            // Fences come in pairs, and none of the message can close one.
            #expect(text.split(separator: "\n").count { $0.hasPrefix("  ````") } == 2 * shown)
        }
    }

    @Test func `marks, mentions and references stay text`() {
        let name = "@team #12 *b* _i_ [l](http://x) ![i](y) <b>&copy; a|b `c` ~s~ www.x.y :tada:"
        let run = SampleRuns.passing()
        let gap = Gap(.reportMissing, subject: name, detail: "x")
        let verdict = Verdict(decision: .undecided, violations: [], gaps: [gap], modules: [], policy: Policy())
        let text = MarkdownReport.render(run, verdict)
        let escaped =
            "\\@\u{200B}team \\#\u{200B}12 \\*b\\* \\_i\\_ \\[l\\]\\(http\\://x\\) \\!\\[i\\]\\(y\\) &lt;b&gt;&amp;copy; a\\|b "
            + "\\`c\\` \\~s\\~ www\\.x\\.y \\:tada\\:"
        #expect(text.contains("- **report-missing** \\(\(escaped)\\)\\: x"))
    }
}
