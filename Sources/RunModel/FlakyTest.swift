/// A test whose outcome varies, and how.
public struct FlakyTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// The number of trees on which it both failed and passed, in one run or in several: the proof that it is flaky.
    public var disagreements: Int
    /// How often its outcome changed from one run of a branch to the next, on the branch where that was most often; runs of changed
    /// working copies do not count.
    public var flips: Int
    /// The number of runs whose last attempt failed.
    public var failures: Int
    /// The number of runs in which it failed and then passed, or passed and failed when it was repeated.
    public var recoveries: Int
    /// The number of runs in which it was executed.
    public var executions: Int
    /// The last run in which an attempt or a repetition failed.
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
