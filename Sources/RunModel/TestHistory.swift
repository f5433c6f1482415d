public import struct Foundation.Date

/// The outcome of a test in one run.
public struct TestHistoryEntry: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// When the run began.
    public var startedAt: Date
    /// The commit that was tested, where known.
    public var commit: String?
    /// The branch, where known.
    public var branch: String?
    /// Whether the run answers for that commit and branch; otherwise it is of a working copy.
    public var isExact: Bool
    /// How the test ended.
    public var outcome: Outcome
    /// How often it was executed in that run.
    public var attempts: Int
    /// How long its last attempt took, where known.
    public var duration: Duration?
    /// The failure message, also of a failed first attempt; untrusted text.
    public var message: String?

    /// Makes an entry from its parts.
    public init(
        run: RunID, startedAt: Date, commit: String?, branch: String?, isExact: Bool = true, outcome: Outcome,
        attempts: Int, duration: Duration?, message: String? = nil
    ) {
        self.message = message
        self.run = run
        self.startedAt = startedAt
        self.commit = commit
        self.branch = branch
        self.isExact = isExact
        self.outcome = outcome
        self.attempts = attempts
        self.duration = duration
    }
}

/// A slow test and how long it takes.
public struct SlowTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// In the latest run.
    public var latest: Duration
    /// The median of all these runs; of an even number, the lower of the two middle values.
    public var median: Duration
    /// The longest of them.
    public var longest: Duration
    /// The number of runs with a duration of this test.
    public var runs: Int

    /// Makes an entry from its parts.
    public init(id: TestID, latest: Duration, median: Duration, longest: Duration, runs: Int) {
        self.id = id
        self.latest = latest
        self.median = median
        self.longest = longest
        self.runs = runs
    }
}

/// A test whose outcome varies, and how.
public struct FlakyTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// The number of trees on which it both failed and passed, in one run or in several: the proof that it is flaky.
    public var disagreements: Int
    /// How often its outcome changed from one run of a branch to the next; runs of changed working copies do not count.
    public var flips: Int
    /// The number of runs whose last attempt failed.
    public var failures: Int
    /// The number of runs in which it failed and then passed.
    public var recoveries: Int
    /// The number of runs in which it was executed.
    public var executions: Int
    /// The last run in which an attempt failed.
    public var lastFailure: RunID?

    /// Makes an entry from its parts.
    public init(
        id: TestID,
        disagreements: Int = 0,
        flips: Int = 0,
        failures: Int = 0,
        recoveries: Int = 0,
        executions: Int = 0,
        lastFailure: RunID? = nil
    ) {
        self.id = id
        self.disagreements = disagreements
        self.flips = flips
        self.failures = failures
        self.recoveries = recoveries
        self.executions = executions
        self.lastFailure = lastFailure
    }
}
