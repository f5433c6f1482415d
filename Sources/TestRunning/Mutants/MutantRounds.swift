import Mutation
import RunModel
import TestResults

/// The mutants of a change, tried in rounds until the time is over.
struct MutantRounds: Sendable {
    /// In the order in which they are tried.
    var trials: [MutantTrial]
    let mutation: MutationRequest
    let invocation: TestInvocation
    /// The tests that have run without any mutant.
    var known: Set<TestID> = []
    /// Those of them that failed.
    var failing: Set<TestID> = []
    /// The processes that failed with a mutant and were repeated without any, by their arguments.
    var repeated: [[String]: RepeatedProcess] = [:]

    /// A process that was repeated without any mutant.
    struct RepeatedProcess: Sendable {
        let tests: [TestID]
        /// Not if its tests pass only among others, or if it does not end in order.
        let passes: Bool
    }

    /// Of how many mutants nothing more is to be tried.
    var over: Int { trials.count(where: \.isOver) }

    /// The processes that fail without any mutant, each by its first test.
    var failingProcesses: [String] {
        repeated.values.filter { !$0.passes }.compactMap { process in
            let others = process.tests.count - 1
            return process.tests.min().map {
                "\($0)\(others > 0 ? " beside \(Figures.counted(others, "other test"))" : "")"
            }
        }.sorted()
    }

    /// The tests of the next round that have not run without a mutant yet.
    ///
    /// - Parameter round: The indices of its trials.
    func newTests(of round: [Int]) -> [DiscoveredTests.Entry] {
        var seen = known
        return round.flatMap { trials[$0].parts.first ?? [] }.filter { seen.insert($0.id).inserted }
    }

    /// How long tests take, one after the other.
    func duration(of tests: [DiscoveredTests.Entry]) -> Duration {
        tests.reduce(.zero) { $0 + mutation.tests.duration(of: $1.id) }
    }
}
