/// How long a run will take if it goes like those before it: their median, and how many there were.
public struct ExpectedTime: Sendable, Hashable, Codable {
    /// The median of the runs, the lower of two middles.
    public let duration: Duration
    /// How many runs that is the middle of.
    public let runs: Int

    /// The median of some runs; `nil` without any.
    public init?(medianOf durations: [Duration]) {
        guard !durations.isEmpty else { return nil }
        duration = durations.sorted()[(durations.count - 1) / 2]
        runs = durations.count
    }
}
