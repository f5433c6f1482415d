import Evidence
import Mutation
import RunModel
import Testing

@testable import TestRunning

@Suite struct MutantTrialTests {
    private func trial(_ number: Int, function: Int, isOnChangedLine: Bool = true, tests: Int = 0) -> MutantTrial {
        let entries = (0..<tests).map { index in
            DiscoveredTests.Entry(
                id: TestID(module: "T", suite: "S", name: "t\(index)"), library: .xctest, name: "T.S/t\(index)")
        }
        return MutantTrial(
            mutant: Mutant(
                number: number, kind: .changedConstant, path: "F.swift", line: function, function: "f",
                functionLines: function...function + 5, original: "1", replacement: "0",
                isOnChangedLine: isOnChangedLine),
            tests: entries)
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
        ([], []),
    ])
    func `what takes a second comes before the rest`(milliseconds: [Int], parts: [Int]) {
        let durations = Dictionary(
            uniqueKeysWithValues: milliseconds.enumerated().map {
                (TestID(module: "T", suite: "S", name: "t\($0)"), Duration.milliseconds($1))
            })
        let found = trial(1, function: 1, tests: milliseconds.count).parts { durations[$0] ?? .zero }
        #expect(found.map(\.count) == parts)
    }
}
