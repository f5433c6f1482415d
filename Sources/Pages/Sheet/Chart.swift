import RunModel
import Wording

/// A small chart over runs, the oldest first: curves, and marks that lead to the runs. A table on the page has the numbers.
///
/// It is drawn in an SVG of a thousand by a hundred; colors are classes, so that no page needs a style attribute.
struct Chart: Sendable {
    /// One curve.
    struct Line: Sendable {
        let style: String
        let points: String
    }

    /// One rectangle that is a link.
    struct Mark: Sendable, TemplateValue {
        let style: String
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let href: String
        let words: String

        func part(named name: String) -> (any TemplateValue)? {
            switch name {
            case "style": style
            case "x": x
            case "y": y
            case "width": width
            case "height": height
            case "href": href
            case "words": words
            default: nil
            }
        }
    }

    /// What a chart shows of one run.
    struct Point {
        /// From 0 on; `nil` where there is nothing to show.
        var value: Double?
        /// The part of the value that is bad.
        var bad = 0.0
        var style = "touch"
        let href: String
        let words: String
    }

    let title: String
    let summary: String
    let label: String
    /// The class of the drawing.
    let shape: String
    let lines: [Line]
    let marks: [Mark]

    private init(_ title: String, _ summary: String, _ lines: [Line], _ marks: [Mark], shape: String = "plot") {
        self.title = title
        self.summary = summary
        label = "\(title): \(summary)"
        self.shape = shape
        self.lines = lines
        self.marks = marks
    }

    /// A curve; `nil` for fewer than two values, for one point is no trend.
    ///
    /// - Parameters:
    ///   - span: The least that is shown from bottom to top, so that a small change does not look like a fall.
    ///   - rule: A level to compare with, as a dashed line.
    static func curve(
        _ points: [Point], title: String, summary: String, span: Double, rule: Double? = nil
    ) -> Chart? {
        let values = points.compactMap(\.value) + (rule.map { [$0] } ?? [])
        guard points.count(where: { $0.value != nil }) > 1, let least = values.min(), let most = values.max() else {
            return nil
        }
        let slack = max(0, span - (most - least)) / 2
        let (low, high) = (least - slack, max(most + slack, least + 0.000_001))
        let height = { (value: Double) in Int((94 - (value - low) / (high - low) * 88).rounded()) }
        let places = Places(points.count)
        let drawn = points.enumerated().compactMap { index, point in
            point.value.map { "\(places.middle(index)),\(height($0))" }
        }
        let lines =
            [Line(style: "curve", points: drawn.joined(separator: " "))]
            + (rule.map { [Line(style: "floor", points: "0,\(height($0)) 1000,\(height($0))")] } ?? [])
        return Chart(title, summary, lines, points.enumerated().map { places.mark($0, $1, y: 0, height: 100) })
    }

    /// One full bar for each run, in the color of how it ended; `nil` without a run.
    static func strip(_ points: [Point], title: String, summary: String) -> Chart? {
        guard !points.isEmpty else { return nil }
        let places = Places(max(points.count, 20))
        return Chart(title, summary, [], points.enumerated().map { places.mark($0, $1, y: 0, height: 100) })
    }

    /// A dot for each run over a dashed middle; `nil` for fewer than two values.
    static func dots(_ points: [Point], middle: Double, title: String, summary: String) -> Chart? {
        let values = points.compactMap(\.value)
        guard values.count > 1, let most = values.max(), most > 0 else { return nil }
        let height = { (value: Double) in Int((92 - value / most * 84).rounded()) }
        let places = Places(points.count)
        let marks = points.enumerated().compactMap { index, point in
            point.value.map { value in
                Mark(
                    style: point.style, x: places.middle(index) - 3, y: height(value) - 4, width: 6, height: 8,
                    href: point.href, words: point.words)
            }
        }
        let line = Line(style: "median", points: "0,\(height(middle)) 1000,\(height(middle))")
        return Chart(title, summary, [line], marks)
    }

    /// A bar for each run from the ground up, what is bad at its foot; `nil` for fewer than two values.
    static func bars(_ points: [Point], title: String, summary: String) -> Chart? {
        let values = points.compactMap(\.value)
        guard values.count > 1, let most = values.max(), most > 0 else { return nil }
        let places = Places(points.count)
        let marks = points.enumerated().flatMap { index, point -> [Mark] in
            guard let value = point.value else { return [] }
            let bad = point.bad == 0 ? 0 : max(8, Int(point.bad / most * 96))
            let whole = max(bad, Int(value / most * 96))
            var good = point
            good.style = "passed"
            var foot = point
            foot.style = "failed"
            return (whole > bad ? [places.mark(index, good, y: 100 - whole, height: whole - bad)] : [])
                + (bad > 0 ? [places.mark(index, foot, y: 100 - bad, height: bad)] : [])
        }
        return Chart(title, summary, [], marks)
    }

    /// The files of a run, each as large as it has executable lines, in a column for each module: what is covered at the
    /// left of a file, what is missed at its right, so that no color is needed to tell. `nil` without an executable line.
    static func map(_ files: [FileCoverage], links: RunLinks) -> Chart? {
        let measured = files.map { (file: $0, lines: $0.lineTally) }.filter { $0.lines.total > 0 }
        let total = measured.reduce(0) { $0 + $1.lines.total }
        guard total > 0 else { return nil }
        var columns: [(module: String, files: [(file: FileCoverage, lines: CoverageTally)], lines: Int)] = []
        for entry in measured {
            if let index = columns.firstIndex(where: { $0.module.utf8.elementsEqual(entry.file.module.utf8) }) {
                columns[index].files.append(entry)
                columns[index].lines += entry.lines.total
            } else {
                columns.append((entry.file.module, [entry], entry.lines.total))
            }
        }
        var marks: [Mark] = []
        var before = 0
        for column in columns {
            let (left, right) = (before * 1000 / total, (before + column.lines) * 1000 / total)
            before += column.lines
            var above = 0
            for entry in column.files {
                let (top, bottom) = (above * 1000 / column.lines, (above + entry.lines.total) * 1000 / column.lines)
                above += entry.lines.total
                let width = max(2, right - left - 2)
                let covered = width * entry.lines.covered / entry.lines.total
                let parts = [("passed", left, covered), ("missed", left + covered, width - covered)]
                for (style, x, width) in parts where width > 0 {
                    marks.append(
                        Mark(
                            style: style, x: x, y: top / 10, width: width, height: max(1, (bottom - top) / 10 - 1),
                            href: links.source(entry.file.path),
                            words: "\(entry.file.path): \(Figures.percent(entry.lines)), \(Figures.tally(entry.lines))")
                    )
                }
            }
        }
        let modules = columns.map(\.module).joined(separator: ", ")
        return Chart("Files by their lines", "columns: \(modules)", [], marks, shape: "plot map")
    }

    /// Where each of so many runs stands from left to right.
    private struct Places {
        private let step: Double

        init(_ count: Int) { step = 1000 / Double(count) }

        func middle(_ index: Int) -> Int { Int((Double(index) + 0.5) * step) }

        func mark(_ index: Int, _ point: Point, y: Int, height: Int) -> Mark {
            let x = Int(Double(index) * step)
            return Mark(
                style: point.style, x: x, y: y, width: max(1, Int(Double(index + 1) * step) - x - 1), height: height,
                href: point.href, words: point.words)
        }
    }
}
