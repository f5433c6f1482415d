import RunModel
import Testing

@Suite struct CoverageTests {
    private func file(_ counts: [(Int32, UInt64)]) -> FileCoverage {
        FileCoverage(
            path: "a.swift", module: "A",
            lines: counts.map { LineCount(line: $0.0, count: ExecutionCount($0.1)) },
            regions: CoverageTally(), functions: CoverageTally()
        )
    }

    @Test func `an underflowed counter means covered, count unknown`() {
        for raw: UInt64 in [UInt64(Int64.max), UInt64.max - 3, 1 << 62] {
            #expect(ExecutionCount(raw).isCovered)
            #expect(ExecutionCount(raw).value == nil)
        }
        #expect(ExecutionCount(7).value == 7)
        #expect(!ExecutionCount(0).isCovered)
    }

    @Test func `missed ranges run over lines without code but not over covered ones`() {
        let missed = file([(1, 1), (3, 0), (4, 0), (9, 0), (10, 2), (11, 0)]).missedRanges
        #expect(missed == [3...9, 11...11])
    }

    @Test func `the executable line nearest to a comment is the next one, or the last of the file`() {
        let lines = file([(3, 1), (4, 0), (9, 0)])
        #expect([2, 3, 5, 9, 12].map { lines.nearestExecutable(to: $0) } == [3, 3, 9, 9, 9])
        #expect(file([]).nearestExecutable(to: 1) == nil)
        #expect([2, 3, 4, 5].map { lines.isExecutable($0) } == [false, true, true, false])
    }

    @Test func `a file without executable lines has an empty tally`() {
        #expect(file([]).lineTally == CoverageTally())
        #expect(file([]).missedRanges.isEmpty)
    }
}
