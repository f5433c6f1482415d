/// What came of the mutants of a change.
public struct MutationReport: Sendable, Hashable {
    /// How the tests took a mutant.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// No test noticed it, also when all tests that sources connect with it ran together.
        case survived
        /// None of the tests that the map names noticed it; whether another test does was not tried to the end.
        case survivedNamed = "survived-named"
        /// A test failed.
        case failed
        /// The process of the tests crashed.
        case crashed
        /// The tests did not end in time.
        case timedOut = "timed-out"
        /// The tests that ran did not notice it, but the time was over before all had run; or they fail without it, too, and none can tell.
        case undecided
        /// No test executes it by the map, and none that was tried noticed it.
        case notExecuted = "not-executed"
        /// It does not compile.
        case notCompiled = "not-compiled"
        /// The time was over before it was its turn.
        case notTried = "not-tried"

        /// Whether the tests noticed it.
        public var isKilled: Bool { [.failed, .crashed, .timedOut].contains(self) }

        /// Whether all tests that the map names ran, and none noticed it.
        public var isSurvivor: Bool { self == .survived || self == .survivedNamed }
    }

    /// A mutant and what came of it.
    public struct Entry: Sendable, Hashable {
        /// The mutant.
        public var mutant: Mutant
        /// What came of it.
        public var outcome: Outcome
        /// How many tests were chosen for it.
        public var tests: Int
        /// How many of them ran in processes that passed.
        public var ran: Int
        /// How many tests are connected with it by sources, whatever the map says.
        public var all: Int

        package init(mutant: Mutant, outcome: Outcome, tests: Int = 0, ran: Int = 0, all: Int = 0) {
            self.mutant = mutant
            self.all = all
            self.outcome = outcome
            self.tests = tests
            self.ran = ran
        }
    }

    /// The mutants, in the order of paths and lines.
    public var entries: [Entry] = []
    /// Sources that have no mutants because the compiler's parser cannot read them alone.
    public var unreadable: [String] = []
    /// How many tests there are.
    public var discovered = 0
    /// Tests that fail without any mutant, so that nothing can be learned from them.
    public var failing: [String] = []
    /// How long building took.
    public var building: Duration = .zero
    /// How long the tests took, those without a mutant included.
    public var testing: Duration = .zero

    /// An empty report.
    public init() {}

    /// The mutants with an outcome.
    public func entries(_ outcome: Outcome) -> [Entry] { entries.filter { $0.outcome == outcome } }

    /// How many mutants the tests noticed.
    public var killed: Int { entries.count { $0.outcome.isKilled } }
}
