public import RunModel

/// How tests are repeated until they have proven themselves.
public struct StressRequest: Sendable, Hashable {
    /// How often each runs alone, and as often in company.
    public var runs: Int
    /// How long all of it may take; what comes before the tests does not count.
    public var budget: Duration
    /// What the order and the company are drawn by.
    public var seed: UInt64
    /// How long tests took before, as far as that is known.
    public var durations: [TestID: Duration]
    /// How long all tests took together; `nil` if that is not known, and then they never are the company as a whole.
    public var wholeDuration: Duration?

    package init(
        runs: Int, budget: Duration, seed: UInt64, durations: [TestID: Duration] = [:], wholeDuration: Duration? = nil
    ) {
        (self.runs, self.budget, self.seed) = (runs, budget, seed)
        (self.durations, self.wholeDuration) = (durations, wholeDuration)
    }

    /// Whether there is time to let all tests run again and again.
    var allowsWhole: Bool { wholeDuration.map { $0 * 10 <= budget } ?? false }

    /// How long one of the tests of a round may take until it counts as hanging: ten times as long as the longest of them took, those of
    /// its company included, and at least five seconds.
    ///
    /// - Parameter limit: How long a test may take in any run.
    func testLimit(of round: TrialRequest.Round, atMost limit: Duration) -> Duration {
        switch round.way {
        case .alone, .together:
            let longest = round.tests.compactMap { durations[$0] }.max()
            return min(limit, max(.seconds(5), longest.map { $0 * 10 } ?? budget / 5))
        case .inCompany(let others):
            // Of a company of which nothing is known each test may take its time.
            let known = others.map { (round.tests + $0).compactMap { durations[$0] } } ?? Array(durations.values)
            return known.max().map { min(limit, max(.seconds(5), $0 * 10)) } ?? limit
        }
    }
}

/// What came of tests that somebody named, and that were repeated.
public struct StressReport: Sendable, Hashable {
    /// What was seen; without an entry where nothing was found, or nothing could run.
    public var probation: Probation
    /// The names that no test has.
    public var unknown: [String] = []
    /// Why no test could run; `nil` if nothing kept them from it.
    public var obstacle: TrialReport.Obstacle?

    /// Makes a report without anything else.
    public init(_ probation: Probation) { self.probation = probation }
}

/// New and changed tests that a run repeats once all have passed.
public struct ProbationRequest: Sendable {
    /// How they are repeated; what is known of their durations is not needed.
    public var stress: StressRequest
    /// The commits that the run is compared with; see `Probation.base`.
    public var base: String
    /// Whether a run must say what came of it, also that there was nothing to repeat.
    public var isDemanded: Bool
    /// The tests whose failures say nothing, by their identities.
    public var excused: Set<Name>
    /// When whoever waits for the run does not wait any more; `nil` for never.
    public var deadline: SuspendingClock.Instant?
    /// Which tests they are, of all that there are, each with its reason, in the order in which they are to be listed. Asked once, after the
    /// tests.
    public var choose: @Sendable (_ modules: [Module], _ tests: [TestID]) -> [Probation.Entry]
    /// What came of it as a file of the run directory; `nil` where it cannot be kept.
    public var file: @Sendable (Probation) -> GivenFile?

    package init(
        _ stress: StressRequest, base: String, isDemanded: Bool, excused: Set<Name>,
        deadline: SuspendingClock.Instant? = nil,
        choose: @escaping @Sendable ([Module], [TestID]) -> [Probation.Entry],
        file: @escaping @Sendable (Probation) -> GivenFile?
    ) {
        (self.stress, self.base, self.isDemanded, self.excused) = (stress, base, isDemanded, excused)
        (self.deadline, self.choose, self.file) = (deadline, choose, file)
    }
}
