import Evidence
import Mutation
import RunModel

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
    /// Which processes pass without any mutant, by their arguments. One whose tests pass only among others does not, nor one that does
    /// not end in order.
    var passing: [[String]: Bool] = [:]

    /// Of how many mutants nothing more is to be tried.
    var over: Int { trials.count(where: \.isOver) }

    /// The arguments of processes that fail without any mutant.
    var failingProcesses: [String] { passing.filter { !$0.value }.map { $0.key.joined(separator: " ") }.sorted() }

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
