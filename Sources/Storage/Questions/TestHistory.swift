public import RunModel

public import struct Foundation.Date

/// What became of a test in one run.
public struct TestHistoryEntry: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// When the run began.
    public var startedAt: Date
    /// The commit that was tested, where known.
    public var commit: String?
    /// The branch, where known.
    public var branch: String?
    /// How the test ended.
    public var outcome: Outcome
    /// How often it was executed in that run.
    public var attempts: Int
    /// How long its last attempt took, where known.
    public var duration: Duration?
}

/// A slow test and how long it takes.
public struct SlowTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// In the latest run.
    public var latest: Duration
    /// The middle of the durations of all runs looked at; the lower of two middles.
    public var median: Duration
    /// The longest of them.
    public var longest: Duration
    /// How many runs it has a duration in.
    public var runs: Int
}
