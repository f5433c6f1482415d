import Mutation
import RunModel
import TestResults

/// A mutant on trial: the tests that execute it run in parts, until one notices it.
struct MutantTrial: Sendable {
    let mutant: Mutant
    /// How many tests execute it.
    let tests: Int
    /// All tests that sources connect with it.
    let all: [DiscoveredTests.Entry]
    /// Whether all of them ran together and none noticed it; `nil` until they have ended.
    private(set) var survivesAll: Bool?
    /// The tests that have not run yet, part by part.
    private(set) var parts: [[DiscoveredTests.Entry]]
    /// How many tests ran in processes that passed.
    private(set) var ran = 0
    /// What the tests noticed.
    private(set) var noticed: MutationReport.Outcome?

    /// Divides its tests into parts: what takes a second, then what takes five, then 25, and so on. Most mutants are noticed by the
    /// first part; only what nothing notices costs all of them.
    ///
    /// - Parameters:
    ///   - tests: Those that the map names, those that take the least time first.
    ///   - all: All that sources connect with it, in the order in which they run.
    init(
        _ mutant: Mutant, tests: [DiscoveredTests.Entry], all: [DiscoveredTests.Entry], duration: (TestID) -> Duration
    ) {
        self.mutant = mutant
        self.all = all
        self.tests = tests.count
        parts = []
        var (limit, sum) = (Duration.seconds(1), Duration.zero)
        for test in tests {
            let duration = duration(test.id)
            if parts.isEmpty || sum + duration > limit {
                if !parts.isEmpty { limit *= 5 }
                parts.append([])
                sum = .zero
            }
            parts[parts.count - 1].append(test)
            sum += duration
        }
    }

    /// Whether there is nothing more to try of the tests that the map names.
    var isOver: Bool { noticed != nil || parts.isEmpty }

    /// Whether it is to be tried with all tests, since those that the map names did not notice it.
    var wantsAll: Bool { noticed == nil && parts.isEmpty && survivesAll == nil && !all.isEmpty }

    /// What came of it so far.
    var entry: MutationReport.Entry {
        MutationReport.Entry(
            mutant: mutant, outcome: noticed ?? outcomeUnnoticed, tests: tests, ran: ran, all: all.count)
    }

    private var outcomeUnnoticed: MutationReport.Outcome {
        if tests == 0 { return .notExecuted }
        if parts.isEmpty { return ran == 0 ? .undecided : survivesAll == true ? .survived : .survivedNamed }
        return ran > 0 ? .undecided : .notTried
    }

    /// A process of the next part noticed the mutant.
    mutating func wasNoticed(_ outcome: MutationReport.Outcome) { noticed = outcome }

    /// The next part was tried, and nothing was noticed.
    ///
    /// - Parameter ran: How many of its tests ran, in processes that pass without the mutant.
    mutating func endedPart(ran: Int) {
        self.ran += ran
        parts.removeFirst()
    }

    /// All tests ran together, and none noticed it.
    ///
    /// - Parameter isSure: Whether each of their processes passes without the mutant.
    mutating func endedAll(isSure: Bool) { survivesAll = isSure }

    /// The time was over before the next part had ended.
    ///
    /// - Parameter ran: How many tests of the part ran; 0 also where one may have noticed the mutant, which nobody could confirm.
    mutating func wasCutShort(ran: Int) {
        self.ran += ran
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
