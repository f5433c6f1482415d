import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// Why tests failed, in every report that says it.
@Suite struct CausesInReportsTests {
    static let run = SampleRuns.failing()

    /// The failing run's verdict with a cause for each of its two failures; hostile text in one.
    static let verdict: Verdict = {
        var verdict = SampleVerdicts.failing(run)
        let failed = run.failures.map(\.id)
        verdict.causes = FailureCauses(
            [
                FailureCause(
                    test: failed[0], kind: .yours, alone: TrialTally(failed: 3), base: TrialTally(passed: 3),
                    functions: [SampleRuns.hostile]),
                FailureCause(test: failed[1], kind: .unknown, doubt: .base, alone: TrialTally(crashed: 3)),
            ], base: "b", obstacle: SampleRuns.hostile, nanoseconds: 5)
        return verdict
    }()

    @Test func `text says whose failures they are first of all`() throws {
        let lines = TextReport.render(Self.run, Self.verdict).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[1] == "")
        #expect(lines[2].hasPrefix("2 failed: 1 is yours (<script>"))
        #expect(lines[2].hasSuffix("of 1 nobody can say why."))
        #expect(lines.contains { $0.hasPrefix("    Yours: it fails here 3 of 3 times, and on the base 0 of 3;") })
        #expect(lines.contains { $0.hasPrefix("    Unknown why: repeated here it fails 3 of 3 times (43 to 100 %)") })
        #expect(!lines.contains { $0.contains("\u{1B}") || $0.contains("Red on the base") })
    }

    @Test func `Markdown says it in front of the failed tests, and no name can write Markdown`() {
        let text = MarkdownReport.render(Self.run, Self.verdict)
        #expect(text.contains("### Failed tests\n\n2 failed\\: 1 is yours \\(&lt;script&gt;"))
    }

    @Test func `JSON has the proof, and the published schema describes it`() throws {
        let json = try JSONReport.render(Self.run, Self.verdict)
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let causes = try #require(report["causes"] as? [String: Any])
        #expect(causes["base"] as? String == "b")
        #expect(causes["durationNanoseconds"] as? Int == 5)
        let failures = try #require(report["failures"] as? [[String: Any]])
        let found = failures.compactMap { $0["cause"] as? [String: Any] }
        #expect(found.map { $0["kind"] as? String } == ["yours", "unknown"])
        #expect(found.map { $0["doubt"] as? String } == [nil, "base-not-asked"])
        #expect((found[0]["alone"] as? [String: Any])?["failed"] as? Int == 3)
        #expect(found[0]["functions"] as? [String] == [SampleRuns.hostile])
        #expect(failures.allSatisfy { $0["origin"] != nil })
    }

    @Test func `JUnit has a property for it`() {
        let files = JUnitReport.files(Self.run, Self.verdict)
        let text = files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(text.components(separatedBy: "<property name=\"cause of ").count == 3)
        #expect(text.contains("value=\"Yours: it fails here 3 of 3 times, and on the base 0 of 3;"))
    }
}
