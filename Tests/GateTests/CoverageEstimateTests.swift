import RunModel
import TestSupport
import Testing

@testable import Gate

/// What all tests would have covered, where some were left out.
@Suite struct CoverageEstimateTests {
    private let base = SampleRuns.id(1)

    private var run: TestRun {
        var run = SampleRuns.passing(2)
        run.selection = Selection(mappedBy: base)
        return run
    }

    /// The line of a file that is not covered, behind those that are.
    private func deselected(
        _ file: FileCoverage, _ lines: [ClosedRange<Int>], doubtful: [ClosedRange<Int>] = []
    ) -> DeselectedLines {
        DeselectedLines(
            run: base, tests: 7, files: [DeselectedLines.File(path: file.path, lines: lines, doubtful: doubtful)])
    }

    private func estimate(
        _ run: TestRun, _ deselected: DeselectedLines, _ policy: Policy = Policy()
    ) throws -> CoverageEstimate? {
        try Verdict(judging: run, by: policy, with: deselected).estimate
    }

    @Test func `lines of deselected tests count beside those of this run`() throws {
        let run = run
        let file = try #require(run.coverage?.files.first { $0.lineTally.missed > 1 })
        let missed = file.lines.filter { !$0.count.isCovered }.map { Int($0.line) }
        let own = try Verdict(judging: run, by: Policy()).modules.reduce(CoverageTally()) { $0 + $1.lines }
        // With one that is not executable, and one that this run executes too.
        let first = try #require(missed.first)
        let found = try #require(try estimate(run, deselected(file, [first - 1...first, 100_000...100_002])))
        #expect(found.lines == CoverageTally(covered: own.covered + 1, total: own.total))
        #expect((found.base, found.deselected, found.executed) == (base, 7, run.outcomes.executed))
        let all = try #require(try estimate(run, deselected(file, [1...100_000])))
        #expect(all.lines.covered == own.covered + missed.count)
        let none = try #require(try estimate(run, DeselectedLines(run: base, tests: 7, files: [])))
        #expect(none.lines == own)
        #expect(none.modules.map(\.name) == ["Core", "tool"])
    }

    @Test func `excluded files do not count, and nothing is judged by it`() throws {
        let run = run
        let file = try #require(run.coverage?.files.first { $0.lineTally.missed > 1 })
        let policy = Policy(defaultFloors: Floors(line: .percent(100)), excludes: [Exclusion(pattern: file.path)])
        let verdict = try Verdict(judging: run, by: policy, with: deselected(file, [1...100_000]))
        #expect(verdict.decision == .passed)
        let counted = run.coverage?.files.filter { $0.path != file.path } ?? []
        #expect(verdict.estimate?.lines == counted.reduce(CoverageTally()) { $0 + $1.lineTally })
    }

    @Test func `a doubtful line gives no estimate, unless it is executed`() throws {
        let run = run
        let file = try #require(run.coverage?.files.first { $0.lineTally.missed > 1 && $0.lineTally.covered > 0 })
        let missed = try #require(file.lines.first { !$0.count.isCovered }.map { Int($0.line) })
        let covered = try #require(file.lines.first { $0.count.isCovered }.map { Int($0.line) })
        #expect(try estimate(run, deselected(file, [], doubtful: [missed...missed])) == nil)
        #expect(try estimate(run, deselected(file, [], doubtful: [covered...covered])) != nil)
    }

    @Test func `a run that lacks something, or is of another part, has no estimate`() throws {
        let lines = DeselectedLines(run: base, tests: 7, files: [])
        func has(_ change: (inout TestRun) -> Void) throws -> Bool {
            var run = run
            change(&run)
            return try estimate(run, lines) != nil
        }
        #expect(try has { _ in })
        #expect(try has { $0.selection.disabledTargets = ["LaterTests"] })
        #expect(try !has { $0.gaps = [Gap(.interrupted, detail: "")] })
        #expect(try !has { $0.coverage = nil })
        #expect(try !has { $0.selection.filters = ["one"] })
        #expect(try !has { $0.selection.shard = Shard(index: 1, count: 2) })
        #expect(try !has { $0.selection.mappedBy = SampleRuns.id(3) })
        #expect(try !has { $0.selection = Selection() })
    }
}
