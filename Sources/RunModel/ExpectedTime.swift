/// The expected duration of a run: the median of earlier runs, and their number.
public struct ExpectedTime: Sendable, Hashable, Codable {
    /// The median of the runs; of an even number, the lower of the two middle values.
    public let duration: Duration
    /// The number of these runs.
    public let runs: Int

    /// The median of some durations; `nil` without any.
    public init?(medianOf durations: [Duration]) {
        guard !durations.isEmpty else { return nil }
        duration = durations.sorted()[(durations.count - 1) / 2]
        runs = durations.count
    }

    /// The median of runs that agree: more than half of them, and at least two, are within a quarter of it. `nil` if
    /// they do not agree: a run that builds everything does not predict one that builds a single file.
    public init?(agreeing durations: [Duration]) {
        self.init(medianOf: durations)
        let near = durations.count { $0 >= duration * 3 / 4 && $0 <= duration * 5 / 4 }
        guard near >= 2, near * 2 > durations.count else { return nil }
    }
}
