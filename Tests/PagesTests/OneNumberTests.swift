import Gate
import RunModel
import TestSupport
import Testing
import Wording

@testable import Pages

/// A fact has one number, wherever it stands.
@Suite struct OneNumberTests {
    /// A run of which one file of `Core` does not count, and its verdict.
    private static func excluding() throws -> (run: TestRun, verdict: Verdict, lines: CoverageTally) {
        let run = SampleRuns.passing()
        let path = try #require(run.coverage?.files.first { $0.module == "Core" }?.path)
        let verdict = try Verdict(judging: run, by: Policy(excludes: [Exclusion(pattern: path, reason: "made")]))
        let measured = verdict.modules.filter { $0.notMeasurable == nil }
        return (run, verdict, measured.reduce(CoverageTally()) { $0 + $1.lines })
    }

    @Test func `lines of excluded files are in no sum, and the file says so`() throws {
        let (run, verdict, lines) = try Self.excluding()
        let all = (run.coverage?.files ?? []).reduce(CoverageTally()) { $0 + $1.lineTally }
        #expect(lines.total < all.total)
        #expect(RunSummary(run, verdict).lines == lines)
        let page = try #require(SheetPage.coverage(run.head, run.coverage, verdict, module: nil, trend: []))
        #expect(page.summary.hasPrefix("\(Figures.percent(lines)): \(Figures.tally(lines)) executable lines"))
        #expect(page.summary.hasSuffix("; 1 file excluded."))
        let html = try PageRenderer().render(page)
        #expect(html.contains("excluded: not counted"))
        #expect(!html.contains(Figures.tally(all)))
    }

    @Test func `a run whose files are all excluded has no line that counts`() throws {
        let run = SampleRuns.passing()
        let verdict = try Verdict(judging: run, by: Policy(excludes: [Exclusion(pattern: "**", reason: "made")]))
        let page = try #require(SheetPage.coverage(run.head, run.coverage, verdict, module: nil, trend: []))
        let files = Figures.counted(run.coverage?.files.count ?? 0, "file")
        #expect(page.summary == "No executable line counts; \(files) excluded.")
    }

    @Test func `of the functions that one test executes a hundred are listed, and all are counted`() throws {
        let test = TestID(module: "M", suite: "S", name: "t")
        for count in [100, 101] {
            let found = (1...count).map { number in
                TestMap.SoleFunction(
                    path: "a.swift",
                    function: TestMap.Function(
                        symbol: "f\(number)", line: Int32(number), lastLine: Int32(number), set: 0, spans: []),
                    test: test)
            }
            let section = try #require(
                SheetPage.functionsOfOneTest(
                    found, titles: [:], names: { $0 }, RunLinks(SampleRuns.id(1), project: "p", .dashboard)))
            #expect(section.table?.rows.count == 100)
            #expect(section.note?.hasPrefix("\(count) functions") == true)
            #expect(section.note?.contains("the first 100 are listed") == (count > 100))
        }
    }

    @Test func `a test that is new and crashed is no regression`() {
        let change = ChangedTest(id: TestID(module: "M", suite: "S", name: "t"), before: nil, after: .crashed)
        #expect(change.words == "new, crashed")
    }

    @Test func `a build that failed has tests that were not run`() {
        var after = SamplePages.entry(SamplePages.unbuilt)
        after.exitStatus = .buildFailed
        let before = SamplePages.entry(SampleRuns.passing())
        #expect(after.isUntested)
        #expect(RunComparison(before: before, after: after).words == "tests not run")
        #expect(
            RunComparison(before: after, after: before).words == "tests did not run before")
    }
}
