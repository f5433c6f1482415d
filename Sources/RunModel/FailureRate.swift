/// How often a test fails: in how many of how many runs.
public struct FailureRate: Sendable, Hashable {
    /// In how many runs an attempt failed.
    public var failures: Int
    /// In how many runs it was executed.
    public var executions: Int

    package init(failures: Int = 0, executions: Int = 0) { (self.failures, self.executions) = (failures, executions) }

    /// Makes the rate of a test that was repeated; what came to no end of its own does not count.
    public init(_ tally: TrialTally) { self.init(failures: tally.failures, executions: tally.executions) }

    /// Counts one more run.
    public mutating func add(isFailure: Bool) {
        executions += 1
        failures += isFailure ? 1 : 0
    }

    /// Within which shares, from 0 to 1, the true one lies: the Wilson score interval at 95 %. Without a run it may be any.
    public var bounds: ClosedRange<Double> {
        let seen = min(max(0, failures), executions)
        guard executions > 0 else { return 0...1 }
        let (share, total, z) = (Double(seen) / Double(executions), Double(executions), 1.959963984540054)
        let scale = 1 + z * z / total
        let middle = (share + z * z / (2 * total)) / scale
        let half = z * (share * (1 - share) / total + z * z / (4 * total * total)).squareRoot() / scale
        // What was seen is within the bounds, however they are rounded.
        let (lower, upper) = (max(0, middle - half), min(1, middle + half))
        return (seen == 0 ? 0 : min(lower, share))...(seen == executions ? 1 : max(upper, share))
    }
}

/// The failures in a row with which the runs of a test end, and how it fared before them. Runs are added the newest first.
public struct FailureStreak: Sendable, Hashable {
    /// How many failures in a row make a test broken, however often it failed before.
    public static let failuresOfBroken = 10
    /// Fewer failures in a row are seen of a flaky test now and then, however seldom it fails.
    private static let fewest = 3
    /// A streak that a test with its rate before shows more seldom than this makes it broken.
    private static let leastChance = 0.05

    /// How many there are.
    public private(set) var failures = 0
    /// The first of them.
    public private(set) var since: RunID?
    /// How it fared before.
    public private(set) var before = FailureRate()
    private var isOver = false

    /// A streak without a run.
    public init() {}

    /// Adds the run before those that were added.
    ///
    /// - Parameters:
    ///   - isFailure: Whether the last attempt failed.
    ///   - isRecovered: Whether another attempt failed, and the last passed.
    public mutating func add(isFailure: Bool, isRecovered: Bool, in run: RunID) {
        guard isOver || !isFailure else {
            failures += 1
            since = run
            return
        }
        isOver = true
        before.add(isFailure: isFailure || isRecovered)
    }

    /// Since when the test is broken, and not only flaky: it fails in every run, which one that fails as often as this one may have
    /// failed before would not do. `nil` if it is not.
    public var breakage: FlakyTest.Breakage? {
        guard let since, failures >= Self.fewest else { return nil }
        var chance = 1.0
        for _ in 0..<min(failures, Self.failuresOfBroken) { chance *= before.bounds.upperBound }
        guard failures >= Self.failuresOfBroken || chance < Self.leastChance else { return nil }
        return FlakyTest.Breakage(since: since, failures: failures)
    }
}
