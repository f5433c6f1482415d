import RunModel
import TestSupport
import Testing
import Wording

@testable import Gate

@Suite struct HeadlineTests {
    private func text(_ decision: Decision, _ violations: [Violation] = [], gaps: [Gap] = []) -> String {
        let verdict = Verdict(decision: decision, violations: violations, gaps: gaps, modules: [], policy: Policy())
        return Headline(SampleRuns.passing(), verdict).text
    }

    private func floor(_ module: String, _ metric: CoverageMetric) throws -> Violation {
        .floorMissed(
            module: module,
            MissedCoverage(
                metric: metric, tally: CoverageTally(covered: 1, total: 2),
                floor: try #require(Percentage(thousandths: 80_000)), shortfall: 1, files: []
            )
        )
    }

    @Test func `a module under two floors is one module, and names are compared by their bytes`() throws {
        let once = [try floor("A", .line), try floor("A", .region)]
        #expect(text(.failed, once) == "✕ Blocked: 1 module under its floor")
        let twice = [try floor("\u{E9}", .line), try floor("e\u{301}", .line)]
        #expect(text(.failed, twice) == "✕ Blocked: 2 modules under their floors")
    }

    @Test func `of several gaps the first is named and the others are counted`() {
        let gaps = [
            Gap(.testsNotRun, subject: "CoreTests", detail: "1 of 3\nlist"), Gap(.noTests, detail: ""),
            Gap(.noTests, detail: ""),
        ]
        #expect(
            text(.undecided, [.buildFailed(errors: 1, first: nil)], gaps: gaps)
                == "? Undecided: tests-not-run (CoreTests): 1 of 3…; 2 more gaps; the build failed with 1 error"
        )
        let long = Gap(.noTests, detail: String(repeating: "👨‍👩‍👧", count: 400))
        #expect(text(.undecided, gaps: [long]).count == "? Undecided: ".count + 301)
    }

    @Test func `what passed is counted with what was skipped`() {
        #expect(text(.passed) == "✓ Passed: 2 tests, 1 skipped")
    }

    @Test func `the number of those that passed is the one that the tile of the page has`() {
        var run = SampleRuns.passing()
        run.tests[0].outcome = .knownIssue
        let verdict = Verdict(decision: .passed, violations: [], gaps: [], modules: [], policy: Policy())
        #expect(Headline(run, verdict).text == "✓ Passed: 1 test, 1 known issue, 1 skipped")
        #expect(run.outcomes[.passed] == 1 && run.outcomes.total == 3)
    }

    @Test func `a part of the tests says which part it is`() throws {
        var run = SampleRuns.passing()
        run.selection = Selection(
            filters: ["a.*"], skips: ["b"], disabledTargets: ["SlowTests"], shard: Shard(index: 1, count: 3))
        #expect(
            Headline(run, try Verdict(judging: run, by: Policy())).text
                == "✓ Passed: 2 tests, 1 skipped, only filter 'a.*', skip 'b', shard 1/3, coverage not judged, "
                + "switched off: SlowTests"
        )
    }

    @Test func `test targets that are switched off are named, however the run ended`() throws {
        for (run, start) in [
            (SampleRuns.passing(), "✓ Passed: "), (SampleRuns.failing(), "✕ Blocked: "),
            (SampleRuns.undecided(), "? Undecided: "),
        ] {
            var run = run
            run.selection.disabledTargets = ["PerformanceTests", "SlowTests"]
            let text = Headline(run, try Verdict(judging: run, by: Policy())).text
            #expect(text.hasPrefix(start))
            #expect(text.hasSuffix("switched off: PerformanceTests, SlowTests"))
        }
    }

    @Test func `that tests were compared with no run is said once`() {
        let commit = BaseCommit(commit: String(repeating: "0a", count: 20), kind: .parent, name: "main")
        var verdict = Verdict(
            decision: .passed, violations: [], gaps: [], modules: [], policy: Policy(), base: BaseReview(commit: commit)
        )
        let words = "tests not compared: no base run is stored"
        #expect(Headline(SampleRuns.passing(), verdict).text == "✓ Passed: 2 tests, 1 skipped, \(words)")
        #expect(
            verdict.base?.lines.map { "\($0.sign) \($0.kind): \($0.words)" } == [
                "? not judged: tests-dropped, tests-skipped, known-issues-added, arguments-dropped: no complete run of "
                    + "0a0a0a0a0a0a is stored; kanmon run --commit 0a0a0a0a0a0a makes one"
            ])
        verdict.base?.run = SampleRuns.id(1)
        #expect(Headline(SampleRuns.passing(), verdict).text == "✓ Passed: 2 tests, 1 skipped")
        #expect(verdict.base?.lines == [])
        verdict.base?.run = nil
        verdict.gaps = [Gap(.baseRunMissing, subject: "ratchet", detail: "none")]
        #expect(!Headline(SampleRuns.passing(), verdict).text.contains(words))
    }

    @Test func `a waiver in force is named, and so is a verdict that was judged again`() throws {
        let day = try #require(CalendarDay("2026-02-01"))
        func waiver(_ subject: String) -> Waiver {
            Waiver(subject: subject, until: day, reason: "because", commit: "0a", line: 3)
        }
        var review = BaseReview(commit: BaseCommit(commit: "0b", kind: .parent, name: "main"), run: SampleRuns.id(1))
        #expect(review.waiversInForce == nil)
        review.waivers = [WaiverStatus(waiver("Old"), .expired), WaiverStatus(waiver("Odd"), .unused)]
        #expect(review.waiversInForce == nil)
        review.waivers += [WaiverStatus(waiver("Core"), .used), WaiverStatus(waiver("Net"), .standing)]
        #expect(review.waiversInForce == "2 waivers in force: Core until 2026-02-01, Net until 2026-02-01")
        review.waivers = []
        review.judgedAgainAt = SampleRuns.moment
        #expect(
            review.lines.map { "\($0.sign) \($0.kind): \($0.words)" } == [
                "↻ judged again: on 2026-01-02, against the base of that time"
            ])
    }

    @Test func `a state of a module says what is known of it`() {
        let half = CoverageTally(covered: 1, total: 2)
        let floors = Floors(line: Percentage(thousandths: 60_000), region: Percentage(thousandths: 50_000))
        let statuses = [
            ModuleCoverage(module: "M", lines: half, regions: half, floors: floors),
            ModuleCoverage(module: "M", lines: half, regions: half, floors: Floors(region: floors.region)),
            ModuleCoverage(module: "M", lines: half), ModuleCoverage(module: "M", floors: floors),
            ModuleCoverage(module: "M", floors: floors, notMeasurable: "a plugin"),
        ]
        #expect(statuses.map(\.state) == [.underFloor, .atFloor, .notJudged, .notRecorded, .notMeasurable])
        #expect(statuses.compactMap(\.absence) == ["no coverage recorded", "not measurable: a plugin"])
    }
}
