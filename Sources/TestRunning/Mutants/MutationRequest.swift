import Evidence
public import Mutation
public import RunModel

/// Which mutants are to be tried.
public struct MutationRequest: Sendable {
    /// The changed lines by path relative to the package; an empty range at a place where lines were removed.
    public var changed: [Name: [Range<Int>]]
    /// Which tests have to notice a mutant.
    public var tests: MutantTests
    /// How long the tests of the mutants may take in all.
    public var budget: Duration
    /// The file by which the sources learn which mutant is in effect; nothing else may write it.
    public var switchFile: String

    /// Makes a request from its parts.
    public init(changed: [Name: [Range<Int>]], tests: MutantTests, budget: Duration, switchFile: String) {
        self.changed = changed
        self.tests = tests
        self.budget = budget
        self.switchFile = switchFile
    }
}

/// One mutant, and the tests that are to notice it.
struct MutantTrial: Sendable {
    var mutant: Mutant
    /// Those that take the least time first.
    var tests: [DiscoveredTests.Entry]

    /// The tests in two parts: what is done within a second, and the rest. Most mutants are noticed by the first.
    func parts(_ duration: (TestID) -> Duration) -> [[DiscoveredTests.Entry]] {
        var (count, sum) = (0, Duration.zero)
        for test in tests {
            sum += duration(test.id)
            if count > 0, sum > .seconds(1) { break }
            count += 1
        }
        return [Array(tests.prefix(count)), Array(tests.dropFirst(count))].filter { !$0.isEmpty }
    }

    /// The order in which mutants are tried, so that little time tells something of every function: what changed before what is
    /// around it, and of each function one after the other.
    static func inOrder(_ trials: [MutantTrial]) -> [MutantTrial] {
        struct Place: Hashable {
            var path: Name
            var line: Int
            var isOnChangedLine: Bool
        }
        var seen: [Place: Int] = [:]
        let ranked = trials.map { trial in
            let mutant = trial.mutant
            let place = Place(
                path: Name(mutant.path), line: mutant.functionLines.lowerBound, isOnChangedLine: mutant.isOnChangedLine)
            seen[place, default: 0] += 1
            return (rank: (mutant.isOnChangedLine ? 0 : 1, seen[place] ?? 0, mutant.number), trial: trial)
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.trial)
    }
}
