import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// New and changed tests that were repeated, in every report that says it; hostile text in each.
@Suite struct ProbationInReportsTests {
    /// One test for each reason, of which the first failed and the last was not repeated; and one that was asked for.
    static var verdict: Verdict {
        var failing = entry("fails()", .new, .drawnCompany, TrialTally(passed: 17, failed: 2, timedOut: 1))
        failing.counts.append(Probation.Count(.oneThread, TrialTally(passed: 3, crashed: 1, skipped: 1, unended: 1)))
        failing.firstFailure = Probation.Failure(
            way: .drawnCompany, repetition: 3,
            sample: FailureSample(
                outcome: .timedOut,
                issues: [
                    Issue(
                        message: SampleRuns.hostile,
                        location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 42, column: 9))
                ]), waiting: [test(SampleRuns.hostile)], fellows: [test(SampleRuns.hostile)])
        var verdict = SampleVerdicts.passing()
        verdict.probation = Probation(
            base: "0a", runs: 20, budget: .seconds(30), seed: 9_007_199_254_740_991,
            entries: [
                failing, entry("a()", .changed, .alone, TrialTally(passed: 20)),
                entry("b()", .uses(SampleRuns.hostile), .company, TrialTally(passed: 1)),
                entry("c()", nil, .twoThreads, TrialTally(passed: 4)),
                Probation.Entry(test: test("d()"), reason: .file),
            ], unlisted: 2, isCutShort: true, obstacle: SampleRuns.hostile)
        verdict.violations = [.probationFailed(failing, seed: 9_007_199_254_740_991)]
        verdict.decision = .failed
        return verdict
    }

    private static func test(_ name: String) -> TestID { TestID(module: "CoreTests", suite: "A", name: name) }

    private static func entry(
        _ name: String, _ reason: Probation.Reason?, _ way: Probation.Way, _ tally: TrialTally
    ) -> Probation.Entry {
        Probation.Entry(test: test(name), reason: reason, counts: [Probation.Count(way, tally)])
    }

    private let run = SampleRuns.passing()

    @Test func `text and Markdown list the tests, and no text of a test can write either`() {
        let text = TextReport.render(run, Self.verdict)
        let lines = text.split(separator: "\n").map(String.init)
        let begin = lines.firstIndex(of: "New and changed tests") ?? lines.endIndex
        #expect(
            lines[begin...].prefix(4).map { String($0.prefix(24)) } == [
                "New and changed tests", "~ CoreTests.A/fails() is", "✓ CoreTests.A/a() change",
                "✓ CoreTests.A/b() uses <",
            ])
        #expect(lines.contains { $0.hasPrefix("✕ CoreTests.A/fails() is new: 3 of 20 repetitions failed; 1 of 4") })
        #expect(!text.contains("\u{1B}"))
        let markdown = MarkdownReport.render(run, Self.verdict)
        #expect(markdown.contains("New and changed tests"))
        #expect(markdown.contains("- ✓ **CoreTests\\.A/a\\(\\)** changed\\: 0 of 20 repetitions failed, so that"))
        #expect(!markdown.contains("<script>"))
    }

    @Test func `JSON has every number, and the sentence`() throws {
        let json = try JSONReport.render(run, Self.verdict)
        let row = try JSONDecoder().decode(Report.self, from: Data(json.utf8)).probation
        #expect(row?.runs == 20)
        #expect(row?.budgetNanoseconds == 30_000_000_000)
        #expect(row?.seed == 9_007_199_254_740_991)
        #expect(row?.complete == false)
        #expect(row?.tests.map(\.reason) == ["new", "changed", "uses", nil, "file"])
        #expect(row?.tests.map(\.failsInLessThanPermille) == [344, 140, 950, nil, nil])
        let failing = row?.tests.first
        #expect([failing?.repetitions, failing?.failures] == [20, 3])
        #expect([failing?.narrowRepetitions, failing?.narrowFailures] == [4, 1])
        #expect(failing?.firstFailure?.outcome == "timed-out")
        #expect(failing?.firstFailure?.waiting == [Self.test(SampleRuns.hostile).description])
        #expect(failing?.firstFailure?.replay?.hasPrefix("kanmon stress 'CoreTests.A/fails()' 'CoreTests.A/") == true)
        #expect(failing?.firstFailure?.comesAgain == false)
        #expect(row?.tests.last?.sentence == "is in a file that changed: it was not repeated to an end.")
        let plain = try JSONReport.render(run, SampleVerdicts.passing())
        #expect(try JSONDecoder().decode(Report.self, from: Data(plain.utf8)).probation == nil)
    }

    /// What of a report is about tests that were repeated.
    private struct Report: Decodable, Hashable {
        struct Probation: Decodable, Hashable {
            var runs: Int
            var budgetNanoseconds: Int64
            var seed: UInt64
            var complete: Bool
            var tests: [Test]
        }

        struct Test: Decodable, Hashable {
            struct Failure: Decodable, Hashable {
                var outcome: String
                var waiting: [String]
                var replay: String?
                var comesAgain: Bool
            }

            var reason: String?
            var repetitions: Int
            var failures: Int
            var narrowRepetitions: Int
            var narrowFailures: Int
            var failsInLessThanPermille: Int?
            var firstFailure: Failure?
            var sentence: String
        }

        var probation: Probation?
    }
}
