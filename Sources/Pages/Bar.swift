import RunModel
import Wording

/// A horizontal bar, drawn as SVG: segments that follow each other and at most one tick.
///
/// Widths are thousandths of the whole and colors are classes, so that no page needs a style attribute.
struct Bar: Sendable, TemplateValue {
    /// One colored part; there is one for every missed range of a file.
    struct Segment: Sendable, TemplateValue {
        let style: String
        let start: Int
        let width: Int

        func part(named name: String) -> (any TemplateValue)? {
            switch name {
            case "style": style
            case "start": start
            case "width": width
            default: nil
            }
        }
    }

    /// The text for screen readers.
    let label: String
    let segments: [Segment]
    /// The position of the tick; `nil` for none.
    let tick: Int?

    static let whole = 1000

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "label": label
        case "segments": segments
        case "tick": tick
        default: nil
        }
    }

    /// Parts of a whole, in order; every part that is not zero stays visible.
    init(label: String, parts: [(style: String, count: Int)], tick: Int? = nil) {
        let total = parts.reduce(0) { $0 + Double($1.count) }
        var widths = parts.map { part in
            part.count == 0 || total == 0
                ? 0 : max(Self.smallest, Int((Double(part.count) * Double(Self.whole) / total).rounded(.down)))
        }
        if total > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            widths[widest] += Self.whole - widths.reduce(0, +)
        }
        var segments: [Segment] = []
        var start = 0
        for (part, width) in zip(parts, widths) where width > 0 {
            segments.append(Segment(style: part.style, start: start, width: width))
            start += width
        }
        self.label = label
        self.segments = segments
        self.tick = tick
    }

    /// Coverage against its floor.
    init(_ tally: CoverageTally, floor: Percentage?) {
        let isMissed = floor.map { !$0.isReached(by: tally) } ?? false
        let rule = floor.map { ", floor \(Figures.percent($0))" } ?? ""
        self.init(
            label: "\(Figures.percent(tally)) covered\(rule)",
            parts: [(isMissed ? "under" : "covered", tally.covered), ("missed", tally.missed)],
            tick: floor.map { $0.thousandths / 100 }
        )
    }

    private static let smallest = 8
}
