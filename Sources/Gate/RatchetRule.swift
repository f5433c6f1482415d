public import RunModel

/// Floors that rise by themselves: what the base's stored run covered, less a tolerance.
public struct RatchetRule: Sendable, Hashable, Codable {
    /// By how many points a module may fall below the base's run.
    public var tolerance: Percentage

    /// A tenth of a point: a line more or less in a module of a thousand is no drop.
    public init(tolerance: Percentage = Percentage(thousandths: 100) ?? .zero) { self.tolerance = tolerance }

    /// The floor after a run that covered so much; `nil` when nothing was counted. Rounded down to a thousandth.
    public func floor(after tally: CoverageTally) -> Percentage? {
        guard tally.total > 0 else { return nil }
        let thousandths = tally.total.dividingFullWidth(tally.covered.multipliedFullWidth(by: 100_000)).quotient
        return Percentage(thousandths: max(0, thousandths - tolerance.thousandths))
    }
}
