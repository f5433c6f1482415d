import Gate
import RunModel
import Wording

/// How the runs of a project went, oldest first: the lines covered as a curve, every verdict as a mark under it.
///
/// It is drawn in an SVG of a thousand by a hundred; colors are classes, so that no page needs a style attribute.
struct Trend: Sendable {
    /// One run.
    struct Mark: Sendable {
        let x: Int
        let width: Int
        let style: String
        let words: String
    }

    let label: String
    let summary: String
    /// The points of the curve: `0,100 50,80.5`.
    let points: String
    let marks: [Mark]

    /// `nil` for fewer than two runs with coverage: one point is no trend.
    init?(_ newestFirst: [RunSummary]) {
        let entries = Array(newestFirst.reversed())
        let measured = entries.enumerated().compactMap { index, entry in
            entry.lines.flatMap { lines in lines.total > 0 ? (index: index, lines: lines) : nil }
        }
        guard let first = measured.first, let last = measured.last, measured.count > 1 else { return nil }
        let shares = measured.map { Double($0.lines.covered) / Double($0.lines.total) }
        // At least five points of height, so that a tenth of a point does not look like a fall.
        let low = max(0, min((shares.min() ?? 0) - 0.01, (shares.max() ?? 1) - 0.05))
        let high = min(1, max((shares.max() ?? 1) + 0.01, low + 0.05))
        let step = Double(1000) / Double(entries.count)
        points = zip(measured, shares).map { entry, share in
            let x = Int((Double(entry.index) + 0.5) * step)
            let y = Int(((high - share) / (high - low) * 80).rounded())
            return "\(x),\(y + 4)"
        }.joined(separator: " ")
        marks = entries.enumerated().map { index, entry in
            let x = Int(Double(index) * step)
            return Mark(
                x: x, width: max(1, Int(Double(index + 1) * step) - x - 2), style: entry.decision.rawValue,
                words: "\(entry.decision.word), \(entry.lines.map { Figures.percent($0) } ?? "no coverage")")
        }
        let figures = "\(Figures.percent(first.lines)) to \(Figures.percent(last.lines))"
        label = "Lines covered over \(Figures.counted(entries.count, "run")): \(figures)"
        let passed = entries.count { $0.decision == .passed }
        summary = "Lines covered: \(figures). \(passed) of the last \(Figures.counted(entries.count, "run")) passed."
    }
}
