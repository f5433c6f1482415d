import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// A run that passed because its base has its failure, too: no report looks as if nothing had failed, and none is red.
@Suite struct AllowedFailuresInReportsTests {
    static let run: TestRun = {
        var run = SampleRuns.passing(2)
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: SampleRuns.hostile)])]
        return run
    }()

    static let verdict = Verdict(
        decision: .passed, violations: [], gaps: [], modules: [], policy: Policy(allowsBrokenBase: true),
        allowedFailures: [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(1))])

    private static let headline = "✓ Passed: 1 failure of the base let through"
    private static let reason =
        "failed, let through, as run \(SampleRuns.id(1).short) of the base failed it in the same way"

    @Test func `text and Markdown say it in the first line and at the failure`() {
        let text = TextReport.render(Self.run, Self.verdict)
        #expect(text.hasPrefix("\(Self.headline), 1 test, 1 skipped"))
        #expect(text.contains("\n~ ") && text.contains(" \(Self.reason)"))
        let markdown = MarkdownReport.render(Self.run, Self.verdict)
        #expect(markdown.hasPrefix("## ✓ Passed\\: 1 failure of the base let through"))
        #expect(markdown.contains(Self.reason))
    }

    @Test func `JSON has the count and the run of the base`() throws {
        let json = try JSONReport.render(Self.run, Self.verdict)
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let verdict = try #require(report["verdict"] as? [String: Any])
        #expect(verdict["decision"] as? String == "passed" && verdict["exitStatus"] as? Int == 0)
        #expect(verdict["allowedFailures"] as? Int == 1)
        #expect((verdict["headline"] as? String)?.hasPrefix(Self.headline) == true)
        let failures = try #require(report["failures"] as? [[String: Any]])
        #expect(failures.map { $0["allowedByRun"] as? String } == [SampleRuns.id(1).description])
        #expect(failures.map { $0["quarantined"] as? Bool } == [false])
        var red = Self.verdict
        red.allowedFailures = []
        let plain = try JSONReport.render(Self.run, red)
        #expect(!plain.contains("allowedFailures") && !plain.contains("allowedByRun"))
    }

    @Test func `JUnit and SonarQube show it, and stay green as the verdict does`() {
        let files = JUnitReport.files(Self.run, Self.verdict)
        let text = files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(text.contains("<flakyFailure ") && text.contains(Self.reason))
        #expect(!text.contains("<failure") && !text.contains("failures=\"1\""))
        let sonar = SonarReport.tests(Self.run, Self.verdict).text
        #expect(sonar.contains("<skipped message=\"\(Self.reason)\">") && !sonar.contains("<failure"))
    }

    @Test func `its annotation is a warning`() {
        let lines = GitHubAnnotations.render(Self.run, Self.verdict).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("::warning ") && $0.contains("let through") })
        #expect(!lines.contains { $0.hasPrefix("::error") })
    }
}
