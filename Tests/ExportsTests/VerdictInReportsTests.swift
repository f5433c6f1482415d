import Exports
import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// No report of a run that did not pass looks green to a reader of nothing else.
@Suite struct VerdictInReportsTests {
    /// A run all of whose tests passed, and a verdict that is not "passed" for a reason that no test names.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        var run = SampleRuns.passing()
        let verdict: Verdict
        /// The names in the suite `Kanmon.Gate`.
        let entries: [String]

        var testDescription: String { name }
    }

    static let samples: [Sample] = {
        let passing = SampleVerdicts.passing()
        func verdict(_ decision: Decision, _ violations: [Violation] = [], _ gaps: [Gap] = []) -> Verdict {
            Verdict(decision: decision, violations: violations, gaps: gaps, modules: passing.modules, policy: Policy())
        }
        let gap = Gap(.baseUnknown, detail: "no merge base with \(SampleRuns.hostile)")
        let floors = SampleVerdicts.failing(SampleRuns.passing()).violations
        var unplaced = SampleRuns.passing()
        for index in unplaced.tests.indices {
            unplaced.tests[index].location = nil
            for attempt in unplaced.tests[index].attempts.indices {
                unplaced.tests[index].attempts[attempt].issues = []
            }
        }
        unplaced.modules = []
        var failing = unplaced
        failing.tests[0].outcome = .failed
        return [
            Sample(name: "a gap", verdict: verdict(.undecided, [], [gap]), entries: ["base-unknown"]),
            Sample(
                name: "two gaps of one name", verdict: verdict(.undecided, [], [gap, gap]),
                entries: ["base-unknown", "base-unknown (2)"]),
            Sample(name: "a floor", verdict: verdict(.failed, floors), entries: ["floor: tool"]),
            Sample(name: "a decision without a reason", verdict: verdict(.failed), entries: ["failed"]),
            Sample(name: "an undecided run without a gap", verdict: verdict(.undecided), entries: ["undecided"]),
            Sample(
                name: "tests of unknown files", run: unplaced, verdict: verdict(.undecided, [], [gap]),
                entries: ["base-unknown"]),
            Sample(name: "a failed test of an unknown file", run: failing, verdict: verdict(.failed), entries: []),
        ]
    }()

    private func names(in files: [JUnitReport.File]) throws -> [String] {
        let text = try #require(
            files.map { String(decoding: $0.bytes, as: UTF8.self) }.first { $0.contains(#"name="Kanmon.Gate""#) })
        return text.matches(of: /<testcase classname="Kanmon.Gate" name="([^"]*)"/).map { String($0.output.1) }
    }

    /// Which reports of a run have something red.
    private func red(_ run: TestRun, _ verdict: Verdict) throws -> [String: Bool] {
        let sonar = SonarReport.tests(run, verdict).text
        return [
            "junit": JUnitReport.files(run, verdict).contains {
                String(decoding: $0.bytes, as: UTF8.self).contains(#/ (failures|errors)="[1-9]/#)
            },
            "sonar-tests": sonar.contains(#/<(failure|error) /#),
            "gitlab": try GitLabCodeQuality.render(run, verdict).contains(#""critical""#),
            "github": GitHubAnnotations.render(run, verdict).contains("::error "),
            "sarif": try SARIFReport.render(run, verdict, version: "1").contains(
                "\"level\" : \"error\",\n          \"loc"),
            "sonar-coverage": SonarReport.coverage(run, verdict)?.contains("<!-- ") == true,
            "cobertura": CoberturaReport.render(run, verdict, packageRoot: "/")?.contains("<!-- ") == true,
            "lcov": LCOVReport.render(run, verdict)?.contains(/TN:kanmon_(blocked|undecided)\n/) == true,
            "markdown": !MarkdownReport.render(run, verdict).hasPrefix("## ✓"),
            "json": try !JSONReport.render(run, verdict).contains(#""decision" : "passed""#),
            "text": !TextReport.render(run, verdict).hasPrefix("✓"),
        ]
    }

    @Test(arguments: samples)
    func `a run that does not pass is red in every format, whatever its tests say`(sample: Sample) throws {
        #expect(try red(sample.run, sample.verdict).filter { !$0.value } == [:])
        if !sample.entries.isEmpty {
            #expect(try names(in: JUnitReport.files(sample.run, sample.verdict)) == sample.entries)
        }
    }

    @Test func `a run that passes is red in none`() throws {
        #expect(try red(SampleRuns.passing(), SampleVerdicts.passing()).filter(\.value) == [:])
    }

    @Test func `a failed build without a test has a JUnit file`() throws {
        let sample = SampleVerdicts.unbuilt()
        #expect(try names(in: JUnitReport.files(sample.run, sample.verdict)).count == 1)
    }

    @Test func `no entry of the quarantine excuses what keeps the run from passing`() throws {
        var run = SampleRuns.passing()
        let id = TestID(module: "Kanmon", suite: "Gate", name: "base-unknown")
        run.tests.append(TestResult(id: id, library: .xctest, outcome: .failed))
        let day = CalendarDay(SampleRuns.moment.addingTimeInterval(86_400))
        let entry = QuarantineEntry(test: id.description, owner: "a", reason: "b", expires: day)
        let verdict = Verdict(
            decision: .undecided, violations: [], gaps: [Gap(.baseUnknown, detail: "no merge base")], modules: [],
            quarantine: [QuarantineStatus(entry: entry, id: id, outcome: .failed)], policy: Policy(quarantine: [entry]))
        let junit = JUnitReport.files(run, verdict).map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(junit.contains(#"errors="1""#))
        #expect(SonarReport.tests(run, verdict).text.contains("<error "))
    }

    @Test func `what an XML comment forbids is not in one`() throws {
        let gap = Gap(.baseUnknown, detail: "a--b--->-")
        let verdict = Verdict(
            decision: .undecided, violations: [], gaps: [gap], modules: SampleVerdicts.passing().modules,
            policy: Policy())
        let report = try #require(SonarReport.coverage(SampleRuns.passing(), verdict))
        #expect(report.contains("<!-- Undecided: base-unknown: a- -b- - -&gt;- -->"))
    }
}
