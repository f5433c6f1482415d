public import RunModel

/// What came of tests that were repeated.
public struct TrialReport: Sendable, Hashable {
    /// Why no test could run.
    public enum Obstacle: Sendable, Hashable {
        /// A script before the build failed; with what is known of it.
        case scriptsFailed(String)
        /// The package does not build, or not in time; with the last lines of the build.
        case notBuilt(String)
        /// The package has no test target.
        case noTests
        /// The tests could not be listed; with the reason as far as it is known.
        case notListed(String)
    }

    /// A test of a round.
    public struct Entry: Sendable, Hashable {
        /// Which test.
        public var test: TestID
        /// How often it ended in which way.
        public var tally: TrialTally
        /// How it failed the first time; `nil` if it never did.
        public var firstFailure: FailureSample?

        package init(test: TestID, tally: TrialTally = TrialTally(), firstFailure: FailureSample? = nil) {
            (self.test, self.tally, self.firstFailure) = (test, tally, firstFailure)
        }
    }

    /// What came of a round.
    public struct Round: Sendable, Hashable {
        /// Its tests in the order of the request, without those that the package does not have, and those that the round leaves out.
        public var entries: [Entry] = []
        /// The tests that were running, those of the company included, when a time limit for one test ended their process.
        public var waiting: [TestID] = []
        /// How long it took.
        public var duration = Duration.zero
        /// Whether all that was requested was done; not where the time was over or somebody cancelled it.
        public var isComplete = false

        /// Makes a round that has not begun.
        public init() {}
    }

    /// The rounds in the order of the request; empty where there was an obstacle.
    public var rounds: [Round] = []
    /// The tests of the request that the package does not have, nor any other of their names, in its order.
    public var missing: [TestID] = []
    /// Why no test could run; `nil` if nothing kept them from it.
    public var obstacle: Obstacle?
    /// How long everything before the repetitions took.
    public var preparing = Duration.zero

    /// Makes an empty report.
    public init() {}

    /// Whether a test has failed in the rounds so far, and passed in none.
    func hasOnlyFailed(_ test: TestID) -> Bool {
        let tallies = rounds.flatMap(\.entries).filter { $0.test == test }.map(\.tally)
        return tallies.contains { $0.failures > 0 } && tallies.allSatisfy { $0.passed == 0 }
    }

    /// What is known of a test in a round; `nil` where it is not among its tests, or the round was not begun.
    public func entry(of test: TestID, inRound number: Int) -> Entry? {
        rounds.indices.contains(number) ? rounds[number].entries.first { $0.test == test } : nil
    }
}
