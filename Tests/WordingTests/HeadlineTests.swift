import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct HeadlineTests {
    private func text(_ decision: Decision, _ violations: [Violation] = [], gaps: [Gap] = []) -> String {
        let verdict = Verdict(decision: decision, violations: violations, gaps: gaps, modules: [], policy: Policy())
        return Headline(SampleRuns.passing(), verdict).text
    }

    private func floor(_ module: String, _ metric: CoverageMetric) throws -> Violation {
        .floorMissed(
            FloorViolation(
                module: module, metric: metric, tally: CoverageTally(covered: 1, total: 2),
                floor: try #require(Percentage(thousandths: 80_000)), shortfall: 1, files: []
            )
        )
    }

    @Test func `a module under two floors is one module, and spellings are told apart by their bytes`() throws {
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

    @Test func `a part of the tests says which part it is`() throws {
        var run = SampleRuns.passing()
        run.selection = Selection(
            filters: ["a.*"], skips: ["b"], disabledTargets: ["SlowTests"], shard: Shard(index: 1, count: 3))
        #expect(
            Headline(run, try Verdict(judging: run, by: Policy())).text
                == "✓ Passed: 2 tests, 1 skipped, only filter 'a.*', skip 'b', shard 1/3, without SlowTests, "
                + "coverage not judged"
        )
    }

    @Test func `a state of a module says what is known of it`() {
        let half = CoverageTally(covered: 1, total: 2)
        let floors = Floors(line: Percentage(thousandths: 60_000), region: Percentage(thousandths: 50_000))
        let standings = [
            ModuleStanding(module: "M", lines: half, regions: half, floors: floors),
            ModuleStanding(module: "M", lines: half, regions: half, floors: Floors(region: floors.region)),
            ModuleStanding(module: "M", lines: half), ModuleStanding(module: "M", floors: floors),
            ModuleStanding(module: "M", floors: floors, notMeasurable: "a plugin"),
        ]
        #expect(standings.map(\.state) == [.underFloor, .atFloor, .notJudged, .notRecorded, .notMeasurable])
        #expect(standings.compactMap(\.absence) == ["no coverage recorded", "not measurable: a plugin"])
    }
}
