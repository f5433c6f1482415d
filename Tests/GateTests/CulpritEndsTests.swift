import Testing

@testable import Gate

@Suite struct CulpritEndsTests {
    private let passed = TreeOutcomes(passes: 1)
    private let failed = TreeOutcomes(failures: 1)
    private let both = TreeOutcomes(failures: 1, passes: 2)

    @Test func `the ends are the newest failure and the nearest commit before it that only passed`() {
        let line = [nil, failed, nil, failed, both, nil, passed, failed]
        #expect(CulpritEnds(newestFirst: line) == .found(good: 6, bad: 1))
        #expect(CulpritEnds(newestFirst: [both, passed]) == .found(good: 1, bad: 0))
    }

    @Test func `a test that passes now, that never passed, or that never ran has no ends`() {
        #expect(CulpritEnds(newestFirst: [nil, passed, failed]) == .passes(at: 1))
        #expect(CulpritEnds(newestFirst: [failed, nil, both]) == .neverPassed(bad: 0))
        #expect(CulpritEnds(newestFirst: [nil, TreeOutcomes()]) == .unknown)
        #expect(CulpritEnds(newestFirst: []) == .unknown)
    }
}
