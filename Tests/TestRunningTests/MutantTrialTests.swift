import Mutation
import RunModel
import TestResults
import Testing

@testable import TestRunning

@Suite struct MutantTrialTests {
    private func trial(
        _ number: Int, function: Int, isOnChangedLine: Bool = true, tests: Int = 0,
        duration: (TestID) -> Duration = { _ in .zero }
    ) -> MutantTrial {
        let entries = (0..<tests).map { index in
            DiscoveredTests.Entry(
                id: TestID(module: "T", suite: "S", name: "t\(index)"), library: .xctest, name: "T.S/t\(index)")
        }
        return MutantTrial(
            Mutant(
                number: number, kind: .changedConstant, path: "F.swift", line: function, function: "f",
                functionLines: function...function + 5, original: "1", replacement: "0",
                isOnChangedLine: isOnChangedLine),
            tests: entries, all: entries, duration: duration)
    }

    @Test func `changed lines come first, and each function in turn`() {
        let trials = [
            trial(1, function: 10, isOnChangedLine: false), trial(2, function: 10), trial(3, function: 10),
            trial(4, function: 20), trial(5, function: 20, isOnChangedLine: false), trial(6, function: 30),
        ]
        #expect(MutantTrial.inOrder(trials).map(\.mutant.number) == [2, 4, 6, 3, 1, 5])
    }

    @Test(arguments: [
        ([300, 300, 300, 300], [3, 1]), ([5000, 1], [1, 1]), ([10, 20], [2]), ([1000], [1]), ([500, 500, 1], [2, 1]),
        ([1000, 2000, 3000, 3000, 4000, 30_000, 70_000, 30_000], [1, 2, 2, 2, 1]), ([], []),
    ])
    func `each part takes five times as long as the one before`(milliseconds: [Int], parts: [Int]) {
        let durations = Dictionary(
            uniqueKeysWithValues: milliseconds.enumerated().map {
                (TestID(module: "T", suite: "S", name: "t\($0)"), Duration.milliseconds($1))
            })
        let trial = trial(1, function: 1, tests: milliseconds.count) { durations[$0] ?? .zero }
        #expect(trial.parts.map(\.count) == parts)
    }

    @Test func `what came of a mutant depends on what ran`() {
        var trial = trial(1, function: 1)
        #expect(trial.entry.outcome == .notExecuted)
        #expect(trial.isOver)
        trial = self.trial(1, function: 1, tests: 3) { _ in .milliseconds(600) }
        #expect(trial.parts.map(\.count) == [1, 2])
        #expect(trial.entry.outcome == .notTried)
        let untold = trial
        trial.endedPart(ran: 1)
        #expect(trial.entry.outcome == .undecided)
        #expect(!trial.isOver)
        var noticed = trial
        noticed.wasNoticed(.crashed)
        #expect(noticed.entry.outcome == .crashed)
        #expect(noticed.isOver)
        var cut = trial
        cut.wasCutShort(ran: 1)
        #expect(cut.entry.outcome == .undecided)
        #expect(cut.entry.ran == 2)
        trial.endedPart(ran: 1)
        // What the map does not see may still notice it.
        #expect(trial.entry.outcome == .survivedNamed)
        #expect(trial.wantsAll)
        for (isSure, outcome) in [(true, MutationReport.Outcome.survived), (false, .survivedNamed)] {
            var whole = trial
            whole.endedAll(isSure: isSure)
            #expect(whole.entry.outcome == outcome)
            #expect(!whole.wantsAll)
        }
        var late = trial
        late.wasNoticed(.failed)
        #expect(late.entry.outcome == .failed)
        #expect(!late.wantsAll)
        #expect((trial.entry.ran, trial.entry.tests, trial.entry.all) == (2, 3, 3))
        trial = untold
        for _ in 1...2 { trial.endedPart(ran: 0) }
        #expect(trial.entry.outcome == .undecided)
        #expect(trial.isOver)
    }
}
