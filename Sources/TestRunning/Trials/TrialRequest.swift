public import RunModel

/// Tests that are to be repeated, and how.
public struct TrialRequest: Sendable, Hashable {
    /// In which processes tests run.
    public enum Way: Sendable, Hashable {
        /// Each in a process of its own.
        case alone
        /// All tests of the round in one process for each library.
        case together
        /// The tests of the round and others in one process for each library: the named ones, or all tests of the run for `nil`.
        ///
        /// The order is that of the libraries: XCTest runs its cases in the order of its list, whatever order it is given.
        case inCompany(of: [TestID]?)
    }

    /// When a test of a round is not repeated any more.
    public enum Stop: Sendable, Hashable {
        /// When its repetitions are over.
        case never
        /// When it has failed once.
        case atFailure
        /// When it has both passed and failed.
        case atDisagreement
    }

    /// Some tests, repeated in one way.
    public struct Round: Sendable, Hashable {
        /// The tests; one that is named twice counts once.
        public var tests: [TestID]
        /// In which processes they run.
        public var way: Way
        /// How often.
        public var repetitions: Int
        /// When a test needs no further repetition.
        public var stop: Stop
        /// Variables for the processes, above all others.
        public var variables: [String: String]
        /// How many threads run the tasks of Swift at a time, for each priority; `nil` for as many as there are processors.
        ///
        /// Where nothing can be loaded into the tests, a round that needs fewer does not take place.
        public var poolWidth: Int?
        /// Whether only those of the tests run that have failed in rounds before, and passed in none.
        public var isOfFailing: Bool
        /// Whether each repetition has a home folder and a folder for temporary files of its own, empty ones, so that nothing is found that
        /// tests have left in those of the user.
        public var hasEmptyHome: Bool

        package init(
            _ tests: [TestID], _ way: Way, repetitions: Int = 1, stop: Stop = .never, variables: [String: String] = [:],
            poolWidth: Int? = nil, isOfFailing: Bool = false, hasEmptyHome: Bool = false
        ) {
            (self.tests, self.way, self.repetitions) = (tests, way, repetitions)
            (self.stop, self.variables, self.poolWidth) = (stop, variables, poolWidth)
            (self.isOfFailing, self.hasEmptyHome) = (isOfFailing, hasEmptyHome)
        }
    }

    /// The rounds, one after the other; within a round every test is repeated once before any is repeated again.
    public var rounds: [Round]
    /// How long the repetitions may take in all. Describing, building and listing do not count; for them the limit of the run holds.
    public var budget: Duration
    /// When the repetitions have to be over even if the budget is not spent; `nil` for no such time.
    public var deadline: SuspendingClock.Instant?
    /// How long one test may take; `nil` for what the run allows.
    public var testLimit: Duration?

    package init(rounds: [Round], budget: Duration, testLimit: Duration? = nil) {
        (self.rounds, self.budget, self.testLimit) = (rounds, budget, testLimit)
    }
}
