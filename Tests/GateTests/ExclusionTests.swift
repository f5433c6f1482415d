import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct ExclusionTests {
    @Test func `the ledger says how much an exclude takes out, and what is odd about it`() {
        var run = SampleRuns.passing()
        run.coverage?.files[2].lines = SampleRuns.lines(10, covered: 0)
        let excludes: [Exclusion] = [
            Exclusion(pattern: "Sources/Core/*", reason: "made by protoc"), "Sources/tool/**", "Nowhere/*",
        ]
        let ledger = run.exclusions(under: Policy(excludes: excludes))
        #expect(
            ledger == [
                ExclusionStatus(exclusion: excludes[0], files: 2, lines: CoverageTally(covered: 19, total: 20)),
                ExclusionStatus(exclusion: excludes[1], files: 1, lines: CoverageTally(covered: 0, total: 10)),
                ExclusionStatus(exclusion: excludes[2], files: 0, lines: CoverageTally()),
            ])
        #expect(ledger.map(\.warning) == [.isExecuted, nil, .matchesNothing])
    }
}
