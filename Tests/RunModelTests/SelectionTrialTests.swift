import Foundation
import TestSupport
import Testing

@testable import RunModel

@Suite struct SelectionTrialTests {
    private let tests = SampleMaps.tests

    private func run(_ outcomes: [Outcome]) -> TestRun {
        var run = SampleRuns.passing()
        run.tests = zip(tests, outcomes).map { test, outcome in
            TestResult(
                id: test, library: .xctest, outcome: outcome,
                attempts: [TestAttempt(outcome: outcome, duration: .milliseconds(10))])
        }
        return run
    }

    private func trial(
        _ outcomes: [Outcome], without deselected: [TestID], unsteady: [TestID] = []
    ) -> SelectionTrial? {
        SelectionTrial(of: run(outcomes), without: Set(deselected), unsteady: Set(unsteady), by: SampleRuns.id(7))
    }

    @Test func `what would have been left out is counted`() throws {
        let found = try #require(trial([.passed, .passed, .passed], without: [tests[0], tests[2]]))
        #expect(found.tests == 3 && found.deselected == 2 && found.failures == 0 && !found.isRedMissed)
        #expect(found.time == .milliseconds(30) && found.deselectedTime == .milliseconds(20))
    }

    @Test func `a run that was red and would have been green is missed`() throws {
        #expect(try #require(trial([.failed, .passed, .passed], without: [tests[0]])).isRedMissed)
        let seen = try #require(trial([.failed, .crashed, .passed], without: [tests[0]]))
        #expect(seen.failures == 2 && seen.missed == 1 && !seen.isRedMissed)
        #expect(try #require(trial([.failed, .passed, .passed], without: [], unsteady: [tests[0]])).failures == 0)
    }

    @Test func `a part of the tests, and a run of nothing, try nothing`() {
        #expect(trial([.skipped, .notRun, .skipped], without: []) == nil)
        var partial = run([.passed, .passed, .passed])
        partial.selection.filters = ["x"]
        #expect(SelectionTrial(of: partial, without: [], unsteady: [], by: SampleRuns.id(7)) == nil)
    }

    @Test func `a ledger sums its runs up`() throws {
        let trials = [
            try #require(trial([.failed, .passed, .passed], without: [tests[0]])),
            try #require(trial([.failed, .passed, .passed], without: [tests[1]])),
            try #require(trial([.passed, .passed, .passed], without: [])),
        ]
        let ledger = SelectionLedger(trials.map { SelectionLedger.Entry(run: SampleRuns.id(1), trial: $0) })
        #expect(ledger.red == 2 && ledger.missed == 1)
        #expect(ledger.tests == CoverageTally(covered: 2, total: 9))
        #expect(ledger.time.all == .milliseconds(90) && ledger.time.deselected == .milliseconds(20))
    }

    @Test func `deselected tests are the same bytes each time, and are read back`() throws {
        let knowledge = DeselectedTests.Knowledge(
            run: SampleRuns.id(1), map: SampleMaps.map, uncalled: [:], modules: [],
            undeclared: UndeclaredDependencies(in: []), unsteady: [tests[1]], toolchain: SampleRuns.passing().toolchain)
        let deselected = DeselectedTests(knowledge, files: ChangedFiles(paths: [], package: ""), changes: [])
        let bytes = try JSONEncoder().encode(deselected)
        #expect(try JSONDecoder().decode(DeselectedTests.self, from: bytes) == deselected)
        #expect(deselected.tests == [tests[0], tests[2]])
    }
}
