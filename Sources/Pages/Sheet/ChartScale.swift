import RunModel
import Wording

/// The scale of a chart: its lowest and highest value, and labels for both and the middle.
struct ChartScale: Sendable {
    /// At the bottom.
    let low: Double
    /// At the top.
    let high: Double
    /// The highest, middle and lowest value.
    let labels: [String]

    /// The position of a value in an SVG with a height of 100, counted from its top.
    func place(_ value: Double) -> Int { 100 - height(value) }

    /// The height of a value, in hundredths.
    func height(_ value: Double) -> Int { Int(((value - low) / (high - low) * 100).rounded()) }

    /// Shares as percentages: the range is extended to multiples of ten and has at least twenty points, so that a
    /// small change does not look large.
    static func percent(_ shares: [Double]) -> ChartScale {
        let least = Int((shares.min() ?? 0) * 100) / 10 * 10
        let most = min(100, (Int(((shares.max() ?? 1) * 100).rounded(.up)) + 9) / 10 * 10)
        let low = max(0, min(least, most - 20))
        let high = max(most, low + 20)
        return ChartScale(
            low: Double(low) / 100, high: Double(high) / 100,
            labels: [high, (low + high) / 2, low].map { "\($0) %" })
    }

    /// Whole numbers from 0.
    static func counts(upTo most: Double) -> ChartScale {
        let step = step(for: most)
        return ChartScale(
            low: 0, high: Double(2 * step), labels: [2 * step, step, 0].map { Figures.grouped($0) })
    }

    /// Seconds from 0, in the largest unit of which there are at least two.
    static func seconds(upTo most: Double) -> ChartScale {
        let units: [(name: String, seconds: Double)] = [("h", 3600), ("min", 60), ("s", 1), ("ms", 0.001)]
        let unit = units.first { most >= 2 * $0.seconds } ?? ("µs", 0.000_001)
        let step = step(for: most / unit.seconds)
        return ChartScale(
            low: 0, high: Double(2 * step) * unit.seconds,
            labels: ["\(Figures.grouped(2 * step)) \(unit.name)", "\(Figures.grouped(step)) \(unit.name)", "0"])
    }

    /// The smallest round number whose double reaches a value.
    private static func step(for most: Double) -> Int {
        var power = 1
        while power < 1_000_000_000_000 {
            for digit in [1, 2, 3, 4, 5, 6, 8] where Double(2 * digit * power) >= most { return digit * power }
            power *= 10
        }
        return power
    }
}

extension CoverageTally {
    /// The covered share from 0 to 1, for drawing; `nil` without a total.
    var share: Double? { total > 0 ? Double(covered) / Double(total) : nil }
}

extension Percentage {
    /// As a share from 0 to 1, for drawing.
    var share: Double { Double(thousandths) / 100_000 }
}
