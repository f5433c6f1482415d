import Exports
import RunModel
import TestSupport
import Testing
import Wording

@testable import Gate

@Suite struct TextReportTests {
    private func report(_ violations: [Violation], columns: Int = 72) -> [String] {
        let verdict = Verdict(decision: .failed, violations: violations, gaps: [], modules: [], policy: Policy())
        return TextReport.render(SampleRuns.passing(), verdict, style: TextStyle(columns: columns))
            .split(separator: "\n").map(String.init)
    }

    private func floor(_ shortfall: Int, _ files: [MissedFile], metric: CoverageMetric = .line) throws -> Violation {
        .floorMissed(
            module: "ThumbnailKit",
            MissedCoverage(
                metric: metric, tally: CoverageTally(covered: 1204, total: 1535),
                floor: try #require(Percentage(thousandths: 80_000)), shortfall: shortfall, files: files
            )
        )
    }

    @Test func `a missed floor names the formula, the fix and the lines`() throws {
        let files = [
            MissedFile(
                path: "Sources/Thumbnail.swift", missed: 40,
                ranges: [41...58, 70...70, 81...90, 100...109, 120...120, 130...133]
            ),
            MissedFile(path: "Sources/異常.swift", missed: 21, ranges: [1...21]),
        ]
        #expect(
            Array(report([try floor(24, files)], columns: 60)[0...4]) == [
                "✕ Blocked: 1 module under its floor",
                "✕ ThumbnailKit line coverage 78.4 % < 80 %: 1,204 of 1,535 lines. Cover any 24 of these 61 lines:",
                "    Sources/Thumbnail.swift:41–58, 70, 81–90, 100–109, 120,",
                "      130–133", "    Sources/異常.swift:1–21",
            ]
        )
    }

    @Test func `of a change only its own lines are said to be executed in part`() throws {
        var run = SampleRuns.passing()
        let path = try #require(run.coverage?.files.first?.path)
        run.coverage?.files[0].unexecuted = UnexecutedCode(
            parts: [2, 7, 9].map { MissedPart(line: $0, start: 3, end: 6) })
        let file = MissedFile(path: path, missed: 1, ranges: [8...8])
        let limit = try #require(Percentage(thousandths: 90_000))
        let missed = MissedCoverage(
            tally: CoverageTally(covered: 2, total: 3), floor: limit, shortfall: 1, files: [file])
        func parts(_ violation: Violation) -> [String] {
            let change = ChangeStatus(
                base: BaseCommit(commit: "0a", kind: .named, name: "main"),
                files: [ChangedFile(path: path, tally: missed.tally, missed: [8...8], added: [7...8])])
            let verdict = Verdict(
                decision: .failed, violations: [violation], gaps: [], modules: [], change: change,
                policy: Policy())
            return TextReport.render(run, verdict, style: TextStyle()).split(separator: "\n").map(String.init)
                .filter { $0.contains("in part") }
        }
        #expect(parts(.patchMissed(missed)) == ["      in part: 7:3–5"])
        #expect(parts(.projectMissed(missed)) == ["      in part: 2:3–5, 7:3–5, 9:3–5"])
    }

    @Test func `the fix fits what can be covered`() throws {
        let one = MissedFile(path: "a.swift", missed: 1, ranges: [3...3])
        let cures = try [(1, [one], CoverageMetric.line), (3, [one], .line), (2, [one], .region), (1, [], .function)]
            .map {
                String(try #require(report([try floor($0.0, $0.1, metric: $0.2)])[1].split(separator: ". ").last))
            }
        #expect(
            cures == [
                "Cover this line:", "Cover this line:", "Cover 2 more regions; these lines were missed:",
                "No missed function is known.",
            ]
        )
    }

    @Test func `a name for readers is shown where it says more than the function`() {
        func titles(_ test: TestResult) -> [String] {
            var run = SampleRuns.passing()
            run.tests = [test]
            let verdict = Verdict(decision: .failed, violations: [], gaps: [], modules: [], policy: Policy())
            return TextReport.render(run, verdict).split(separator: "\n").filter { $0.hasSuffix("failed") }
                .dropFirst().prefix(1).map(String.init)
        }
        func test(_ name: String, _ displayName: String) -> TestResult {
            TestResult(
                id: TestID(module: "M", suite: "", name: name), library: .swiftTesting, outcome: .failed,
                displayName: displayName)
        }
        #expect(titles(test("`外 の 名前`()", "外 の 名前")) == ["✕ M.`外 の 名前`() failed"])
        #expect(titles(test("`外 の 名前`(n:)", "外 の 名前")) == ["✕ M.`外 の 名前`(n:) failed"])
        #expect(titles(test("`外 の 名前`()", "外")) == ["✕ M.`外 の 名前`() “外” failed"])
        #expect(titles(test("f()", "f")) == ["✕ M.f() “f” failed"])
    }

    @Test func `many failures are counted, not lost`() {
        var run = SampleRuns.passing()
        run.tests = (100..<175).map {
            TestResult(id: TestID(module: "M", suite: "S", name: "t\($0)"), library: .xctest, outcome: .timedOut)
        }
        let verdict = Verdict(
            decision: .failed,
            violations: run.tests.map { .testFailed(id: $0.id, outcome: $0.outcome, issue: nil) }, gaps: [],
            modules: [], policy: Policy()
        )
        let lines = TextReport.render(run, verdict).split(separator: "\n")
        #expect(lines.first == "✕ Blocked: 75 tests timed out")
        #expect(lines.count { $0.hasPrefix("✕ M.S/t") } == 100)
        #expect(lines.count { $0.hasPrefix("… 25 more failures") } == 2)
        #expect(lines.contains("    Rerun: swift test --filter '^M\\.S/t100$'"))
    }

    @Test func `a verdict that waits for evidence tells what else is broken`() {
        let run = SampleRuns.undecided()
        let gaps = run.gaps + [Gap(.processLeaked, detail: "sleep")]
        let verdict = Verdict(
            decision: .undecided, violations: [.tooFewTests(executed: 1, minimum: 2)], gaps: gaps, modules: [],
            policy: Policy()
        )
        #expect(
            Headline(run, verdict).text
                == "? Undecided: tests-not-run (CoreTests): 1 of 3 tests has no result; 1 more gap; "
                + "1 test ran instead of at least 2"
        )
    }

    @Test func `a narrow terminal gets a table that fits`() {
        let status = ModuleCoverage(
            module: "とても長い名前のモジュールKit", lines: CoverageTally(covered: 1, total: 2), floors: SampleVerdicts.floor
        )
        let verdict = Verdict(decision: .passed, violations: [], gaps: [], modules: [status], policy: Policy())
        let text = TextReport.render(SampleRuns.passing(), verdict, style: TextStyle(columns: 66))
        let row = text.split(separator: "\n").first { $0.hasPrefix("✕") }
        #expect(TerminalText.width(String(row ?? "")) <= 66)
        #expect(row == "✕ とても長い名前の…  50.0 %  1 of 2        –          –  line 80 %")
    }
}
