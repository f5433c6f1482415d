/// What came of new and changed tests that a run repeated, so that nobody relies on them unseen.
///
/// It says what was seen. Whether that blocks is for the gate to say, by the settings.
public struct Probation: Sendable, Hashable, Codable {
    /// How many tests are listed at most.
    public static let mostTests = 1_000
    /// A test that has failed so often in one way has shown enough, and is not repeated in that way again.
    public static let mostFailures = 5
    /// The largest seed: what every reader of JSON takes for a whole number.
    public static let largestSeed: UInt64 = 1 << 53 - 1

    /// Why a test is on probation.
    public enum Reason: Sendable, Hashable, Codable {
        /// The base has no such test.
        case new
        /// Its own lines changed.
        case changed
        /// Something changed in its test target that it uses; untrusted text.
        case uses(String)
        /// Its file changed, and where in it is not known.
        case file
    }

    /// In which surroundings a test is repeated.
    public enum Way: String, Sendable, Hashable, Codable, CaseIterable {
        /// In a process of its own.
        case alone
        /// Among all tests of its library.
        case company
        /// Among some of them, which the seed draws.
        case drawnCompany = "drawn-company"
        /// In a process of its own, with one thread for all tasks of Swift.
        case oneThread = "one-thread"
        /// In a process of its own, with two threads for all tasks of Swift.
        case twoThreads = "two-threads"

        /// Whether there are fewer threads than there would be otherwise: how often a test fails so says nothing of other runs.
        public var isNarrow: Bool { self == .oneThread || self == .twoThreads }

        /// How many threads run the tasks of Swift; `nil` for as many as usual.
        public var poolWidth: Int? {
            switch self {
            case .alone, .company, .drawnCompany: nil
            case .oneThread: 1
            case .twoThreads: 2
            }
        }
    }

    /// How often a test ended in which way.
    public struct Count: Sendable, Hashable, Codable {
        /// In which surroundings.
        public var way: Way
        /// How it ended.
        public var tally: TrialTally

        package init(_ way: Way, _ tally: TrialTally) { (self.way, self.tally) = (way, tally) }
    }

    /// The first failure of a test.
    public struct Failure: Sendable, Hashable, Codable {
        /// How many waiting tests are named at most.
        public static let mostWaiting = 20

        /// In which surroundings.
        public var way: Way
        /// Which of the repetitions of the test it was, in all surroundings together, counted from 1.
        public var repetition: Int
        /// What was seen.
        public var sample: FailureSample
        /// The other tests that were running in the same process when a time limit ended it.
        public var waiting: [TestID]
        /// How many other tests are named at most: with more, the command is too long to type.
        public static let mostFellows = 20
        /// The other tests that were repeated in the same drawn company: whoever repeats these, too, by the same seed draws the same
        /// companies. Empty where it ran otherwise; `nil` where no seed draws the same again.
        public var fellows: [TestID]?

        package init(
            way: Way, repetition: Int, sample: FailureSample, waiting: [TestID] = [], fellows: [TestID]? = nil
        ) {
            (self.way, self.repetition, self.sample, self.waiting) = (way, repetition, sample, waiting)
            self.fellows = fellows
        }
    }

    /// One test.
    public struct Entry: Sendable, Hashable, Codable {
        /// A test that has passed less often may hang by chance where it hangs.
        private static let fewestPasses = 20

        /// Which test.
        public var test: TestID
        /// Why it was repeated; `nil` where somebody asked for it.
        public var reason: Reason?
        /// What came of it, without the surroundings in which it was never repeated.
        public var counts: [Count]
        /// The first failure; `nil` if there was none.
        public var firstFailure: Failure?

        package init(test: TestID, reason: Reason? = nil, counts: [Count] = [], firstFailure: Failure? = nil) {
            (self.test, self.reason, self.counts, self.firstFailure) = (test, reason, counts, firstFailure)
        }

        /// What came of it with as many threads as usual.
        public var usual: TrialTally { sum { !$0.isNarrow } }
        /// What came of it with one thread or two.
        public var narrow: TrialTally { sum(where: \.isNarrow) }
        /// What came of it in all surroundings.
        public var all: TrialTally { usual + narrow }
        /// Whether it failed at least once, in whichever surroundings.
        public var hasFailed: Bool { all.failures > 0 }
        /// Whether nothing is known of it, because it was never repeated to its end.
        public var isUnproven: Bool { all.executions == 0 }

        /// Whether the first failure comes again whenever it is repeated: the test hangs with one thread, as often as that was tried, and has
        /// never failed with as many as usual. Anything else depends on time.
        public var comesAgain: Bool {
            guard let firstFailure, firstFailure.way == .oneThread, firstFailure.sample.outcome == .timedOut,
                let one = counts.first(where: { $0.way == .oneThread })?.tally
            else { return false }
            return one.timedOut == one.executions && usual.failures == 0 && usual.executions >= Self.fewestPasses
        }

        private func sum(where isWanted: (Way) -> Bool) -> TrialTally {
            counts.filter { isWanted($0.way) }.reduce(TrialTally()) { $0 + $1.tally }
        }
    }

    /// The commits that the run was compared with, as `BaseCommit.key(of:)` writes them: with others, other tests are new.
    public var base: String
    /// How often each test was to be repeated alone, and as often in company.
    public var runs: Int
    /// How long all of it might take.
    public var budget: Duration
    /// What the order and the company were drawn by.
    public var seed: UInt64
    /// The tests: the new ones first, each kind ordered by identity.
    public var entries: [Entry]
    /// How many more tests were on probation than are listed; they were not repeated.
    public var unlisted: Int
    /// Whether the time was over before all had been repeated as often as was wanted.
    public var isCutShort: Bool
    /// Why nothing could be repeated; `nil` if nothing kept it. Untrusted text.
    public var obstacle: String?

    package init(
        base: String = "", runs: Int, budget: Duration, seed: UInt64, entries: [Entry], unlisted: Int = 0,
        isCutShort: Bool = false, obstacle: String? = nil
    ) {
        (self.base, self.runs, self.budget, self.seed) = (base, runs, budget, seed)
        (self.entries, self.unlisted, self.isCutShort, self.obstacle) = (entries, unlisted, isCutShort, obstacle)
    }

    /// The tests that failed at least once.
    public var failures: [Entry] { entries.filter(\.hasFailed) }
}

extension Probation {
    /// What the shards of one run saw; `nil` where none saw anything. A test that several shards have, all of them have repeated.
    ///
    /// - Parameter parts: At most one of each shard.
    public static func merged(_ parts: [Probation]) -> Probation? {
        guard var merged = parts.first else { return nil }
        for part in parts.dropFirst() {
            let known = Set(merged.entries.map(\.test))
            merged.entries += part.entries.filter { !known.contains($0.test) }
            merged.unlisted += part.unlisted
            merged.isCutShort = merged.isCutShort || part.isCutShort
            merged.obstacle = merged.obstacle ?? part.obstacle
        }
        let entries = merged.entries.inOrder
        merged.entries = Array(entries.prefix(mostTests))
        merged.unlisted += entries.count - merged.entries.count
        return merged
    }
}

extension [Probation.Entry] {
    /// The new ones first, then those that changed, those that use what changed, and the others; each kind by identity.
    public var inOrder: [Probation.Entry] {
        sorted { ($0.reason.rank, $0.test) < ($1.reason.rank, $1.test) }
    }
}

extension Probation.Reason? {
    fileprivate var rank: Int {
        switch self {
        case .new?: 0
        case .changed?: 1
        case .uses?: 2
        case .file?: 3
        case nil: 4
        }
    }
}

extension Probation: Limited {
    /// The largest number of repetitions that is believed.
    fileprivate static let mostRepetitions = 10_000_000
    /// The longest text besides those of issues, in bytes.
    private static let longestText = 4_000

    /// What is beyond a limit.
    public var fault: String? {
        if let fault = Self.fault("probation", count: entries.count, most: Self.mostTests) { return fault }
        if let fault = Self.fault(of: [runs, unlisted]) ?? entries.lazy.compactMap(\.fault).first { return fault }
        if let obstacle, obstacle.utf8.count > Self.longestText {
            return "probation: a text is longer than \(Figures.grouped(Self.longestText)) bytes"
        }
        if seed > Self.largestSeed { return "probation: the seed \(seed) is larger than \(Self.largestSeed)" }
        return budget < .zero ? "probation: its budget is below zero" : nil
    }

    /// What is wrong with a number of repetitions or tests.
    fileprivate static func fault(of numbers: [Int]) -> String? {
        numbers.first { !(0...mostRepetitions).contains($0) }
            .map { "probation: \($0) is not from 0 to \(Figures.grouped(mostRepetitions))" }
    }
}

extension Probation.Entry {
    /// What is beyond a limit. How often a test may have failed is limited because the bound of its proportion takes a step for each failure.
    fileprivate var fault: String? {
        let tallies = counts.map(\.tally)
        let numbers = tallies.flatMap { [$0.passed, $0.failed, $0.crashed, $0.timedOut, $0.skipped, $0.unended] }
        return Probation.fault("probation of a test", count: counts.count, most: Probation.Way.allCases.count)
            ?? Probation.fault(of: numbers + [firstFailure?.repetition ?? 0])
            ?? (tallies.contains { $0.failures > Probation.mostFailures }
                ? "probation: a test failed more than \(Probation.mostFailures) times in one way" : nil)
            ?? firstFailure?.fault
    }
}

extension Probation.Failure {
    /// What is beyond a limit.
    fileprivate var fault: String? {
        let longest = 4 * FailureSample.longestMessage
        if !sample.outcome.isFailure { return "probation: a first failure that is none" }
        if sample.issues.contains(where: { $0.message.utf8.count + ($0.argument?.utf8.count ?? 0) > longest }) {
            return "probation: a message is longer than \(Figures.grouped(longest)) bytes"
        }
        return Probation.fault("issues", count: sample.issues.count, most: FailureSample.mostIssues)
            ?? Probation.fault("waiting tests", count: waiting.count, most: Self.mostWaiting)
            ?? Probation.fault("fellow tests", count: fellows?.count ?? 0, most: Self.mostFellows)
    }
}
