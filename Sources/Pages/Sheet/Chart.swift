import Foundation
import RunModel
import Wording

/// A small chart of runs, the oldest first: a curve or bars on a scale, the days below, and marks that link to the
/// runs. A table on the page has the numbers.
///
/// It is drawn in an SVG of a thousand by a hundred; colors are classes, so that no page needs a style attribute.
/// Text is beside the drawing, because the drawing is stretched.
struct Chart: Sendable {
    /// One line across the chart.
    struct Line: Sendable {
        let style: String
        let points: String
    }

    /// One rectangle, as a link if its run has a page.
    struct Mark: Sendable, TemplateValue {
        let style: String
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        var target: LabelledLink?
        let words: String
        /// The same as `target`, for the one mark that the tab key leads to; the arrow keys lead from there to the others.
        var stop: LabelledLink?

        func part(named name: String) -> (any TemplateValue)? {
            switch name {
            case "style": style
            case "x": x
            case "y": y
            case "width": width
            case "height": height
            case "target": target
            case "words": words
            case "stop": stop
            default: nil
            }
        }
    }

    /// The values of one run.
    struct Point {
        /// At least 0; `nil` if there is no value.
        var value: Double?
        /// The part of the value that is bad.
        var bad = 0.0
        var style = "touch"
        let date: Date
        /// `nil` if the run has no page.
        let href: String?
        let words: String
    }

    /// The labels of the scale, the highest first.
    struct Scale: Sendable {
        let values: [String]
    }

    /// The days below a chart: of the first, middle and last run.
    struct Days: Sendable {
        let days: [String]
    }

    /// What the colors mean.
    struct Legend: Sendable {
        /// One color.
        struct Entry: Sendable {
            let style: String
            let words: String
        }

        let entries: [Entry]
    }

    let title: String
    let summary: String
    let label: String
    let scale: Scale?
    let days: Days?
    let legend: Legend?
    let lines: [Line]
    let marks: [Mark]

    private init(
        _ title: String, _ summary: String, _ points: [Point], scale: ChartScale?, legend: [(String, String)] = [],
        lines: [Line], marks: [Mark], days: [String]? = nil
    ) {
        self.title = title
        self.summary = summary
        label = "\(title): \(summary)"
        self.scale = scale.map { Scale(values: $0.labels) }
        self.days = days.map { Days(days: $0) } ?? Self.days(points)
        self.legend =
            legend.isEmpty ? nil : Legend(entries: legend.map { Legend.Entry(style: $0, words: $1) })
        // A line in the middle of the scale helps to read values.
        self.lines = (scale == nil ? [] : [Line(style: "grid", points: "0,50 1000,50")]) + lines
        var marks = marks
        // The newest run, where a reader begins.
        if let last = marks.lastIndex(where: { $0.target != nil }) {
            (marks[last].stop, marks[last].target) = (marks[last].target, nil)
        }
        self.marks = marks
    }

    /// A curve; `nil` for fewer than two values, because one point is no trend.
    ///
    /// - Parameters:
    ///   - scale: The scale; charts in a row have the same.
    ///   - rule: A level to compare with, as a dashed line.
    ///   - showsVerdicts: Whether marks below the curve have the color of each point.
    static func curve(
        _ points: [Point], title: String, summary: String, scale: ChartScale, rule: Double? = nil,
        legend: [(String, String)] = [], showsVerdicts: Bool = false
    ) -> Chart? {
        guard points.count(where: { $0.value != nil }) > 1 else { return nil }
        let places = Places(points.count)
        let drawn = points.enumerated().compactMap { index, point in
            point.value.map { "\(places.middle(index)),\(scale.place($0))" }
        }
        let lines =
            (rule.map { [Line(style: "floor", points: "0,\(scale.place($0)) 1000,\(scale.place($0))")] } ?? [])
            + [Line(style: "curve", points: drawn.joined(separator: " "))]
        let feet = showsVerdicts ? points.enumerated().map { places.mark($0, $1, y: 94, height: 6) } : []
        let touched = points.enumerated().map { index, point in
            var point = point
            point.style = "touch"
            return places.mark(index, point, y: 0, height: showsVerdicts ? 94 : 100)
        }
        return Chart(title, summary, points, scale: scale, legend: legend, lines: lines, marks: feet + touched)
    }

    /// One full bar for each run, in the color of its outcome; `nil` without a run.
    static func strip(_ points: [Point], title: String, summary: String, legend: [(String, String)]) -> Chart? {
        guard !points.isEmpty else { return nil }
        let places = Places(max(points.count, 20))
        return Chart(
            title, summary, points.count < 20 ? [] : points, scale: nil, legend: legend, lines: [],
            marks: points.enumerated().map { places.mark($0, $1, y: 0, height: 100) })
    }

    /// A dot for each run and a dashed line for the median, in seconds; `nil` for fewer than two values.
    static func dots(
        _ points: [Point], middle: Double, title: String, summary: String, legend: [(String, String)]
    ) -> Chart? {
        let values = points.compactMap(\.value)
        guard values.count > 1, let most = values.max(), most > 0 else { return nil }
        let scale = ChartScale.seconds(upTo: most)
        let places = Places(points.count)
        let marks = points.enumerated().compactMap { index, point in
            point.value.map { value in
                Mark(
                    style: point.style, x: places.middle(index) - 3, y: scale.place(value) - 4, width: 6, height: 8,
                    target: point.target, words: point.words)
            }
        }
        let line = Line(style: "median", points: "0,\(scale.place(middle)) 1000,\(scale.place(middle))")
        return Chart(title, summary, points, scale: scale, legend: legend, lines: [line], marks: marks)
    }

    /// A bar for each run, with the bad part at its bottom; `nil` for fewer than two values.
    ///
    /// - Parameter days: What stands below it instead of the days of its points.
    static func bars(
        _ points: [Point], title: String, summary: String, legend: [(String, String)], days: [String]? = nil
    ) -> Chart? {
        let values = points.compactMap(\.value)
        guard values.count > 1, let most = values.max(), most > 0 else { return nil }
        let scale = ChartScale.counts(upTo: most)
        let places = Places(points.count)
        let marks = points.enumerated().flatMap { index, point -> [Mark] in
            guard let value = point.value else { return [] }
            // The bad part is always visible, however small it is.
            let bad = point.bad == 0 ? 0 : max(8, scale.height(point.bad))
            let whole = max(bad, scale.height(value))
            var good = point
            good.style = "passed"
            var foot = point
            foot.style = "failed"
            return (whole > bad ? [places.mark(index, good, y: 100 - whole, height: whole - bad)] : [])
                + (bad > 0 ? [places.mark(index, foot, y: 100 - bad, height: bad)] : [])
        }
        return Chart(title, summary, points, scale: scale, legend: legend, lines: [], marks: marks, days: days)
    }

    /// The days of the first, middle and last run; none if they are the same.
    private static func days(_ points: [Point]) -> Days? {
        guard let first = points.first, let last = points.last else { return nil }
        let days = [first, points[points.count / 2], last].map { String(Moment($0.date, now: nil).exact.prefix(10)) }
        return days[0] == days[2] ? nil : Days(days: days)
    }

    /// The horizontal positions of the runs.
    private struct Places {
        private let step: Double

        init(_ count: Int) { step = 1000 / Double(count) }

        func middle(_ index: Int) -> Int { Int((Double(index) + 0.5) * step) }

        func mark(_ index: Int, _ point: Point, y: Int, height: Int) -> Mark {
            let x = Int(Double(index) * step)
            return Mark(
                style: point.style, x: x, y: y, width: max(1, Int(Double(index + 1) * step) - x - 1), height: height,
                target: point.target, words: point.words)
        }
    }
}

extension Chart.Point {
    var target: LabelledLink? { href.map { LabelledLink(href: $0, words: words) } }
}
