public import RunModel

/// The range in which the true rate of failures of a test lies at 95 %, by Wilson's score: it holds for few executions, too.
public struct RateInterval: Sendable, Hashable {
    /// The lowest rate, from 0 to 1.
    public let low: Double
    /// The highest rate.
    public let high: Double

    /// Makes the interval of a tally; `nil` where nothing was executed.
    public init?(_ tally: TrialTally) { self.init(failures: tally.failures, of: tally.executions) }

    /// Makes the interval; `nil` where nothing was executed.
    public init?(failures: Int, of executions: Int) {
        guard executions > 0, (0...executions).contains(failures) else { return nil }
        let (count, deviations) = (Double(executions), 1.959963984540054)
        let rate = Double(failures) / count
        let share = deviations * deviations / count
        let middle = (rate + share / 2) / (1 + share)
        let reach = deviations * (rate * (1 - rate) / count + share / (4 * count)).squareRoot() / (1 + share)
        low = failures == 0 ? 0 : max(0, middle - reach)
        high = failures == executions ? 1 : min(1, middle + reach)
    }
}
