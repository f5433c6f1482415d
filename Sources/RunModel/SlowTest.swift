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

    package init(id: TestID, latest: Duration, median: Duration, longest: Duration, runs: Int) {
        self.id = id
        self.latest = latest
        self.median = median
        self.longest = longest
        self.runs = runs
    }
}
