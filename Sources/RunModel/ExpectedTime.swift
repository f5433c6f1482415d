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

    /// The median of runs that agree: more than half of them, and two at least, took what it is within a quarter. `nil` where
    /// they do not, for then nobody knows: a run that builds everything tells nothing of one that builds a file.
    public init?(agreeing durations: [Duration]) {
        self.init(medianOf: durations)
        let near = durations.count { $0 >= duration * 3 / 4 && $0 <= duration * 5 / 4 }
        guard near >= 2, near * 2 > durations.count else { return nil }
    }
}
