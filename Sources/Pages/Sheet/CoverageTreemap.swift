import RunModel
import Wording

/// The files of a run in a column for each module, with an area by their executable lines. The covered part of a file
/// is at its left, the missed part at its right, so that the meaning does not depend on color.
///
/// Positions are percentages of an SVG without a view box, so that its names are not stretched. A name is shown if
/// there is room for it; the list of files on the page has all.
struct CoverageTreemap: Sendable {
    /// A module.
    struct Head: Sendable {
        let x: String
        let name: String
        /// The CSS class for the page width from which it fits.
        let style: String
    }

    /// A file.
    struct Cell: Sendable, TemplateValue {
        let href: String
        let words: String
        let x: String
        let y: String
        let width: String
        let height: String
        let missed: Missed?
        let name: Caption?

        func part(named name: String) -> (any TemplateValue)? {
            switch name {
            case "href": href
            case "words": words
            case "x": x
            case "y": y
            case "width": width
            case "height": height
            case "missed": missed
            case "name": self.name
            default: nil
            }
        }
    }

    /// The missed part of a file.
    struct Missed: Sendable, TemplateValue {
        let x: String
        let width: String

        func part(named name: String) -> (any TemplateValue)? { name == "x" ? x : name == "width" ? width : nil }
    }

    /// The name of a file.
    struct Caption: Sendable, TemplateValue {
        let text: String
        let style: String

        func part(named name: String) -> (any TemplateValue)? { name == "text" ? text : name == "style" ? style : nil }
    }

    let label: String
    let heads: [Head]
    let cells: [Cell]

    /// `nil` if no file has an executable line.
    init?(_ files: [FileCoverage], links: RunLinks) {
        let measured = files.map { (file: $0, lines: $0.lineTally) }.filter { $0.lines.total > 0 }
        let total = measured.reduce(0) { $0 + $1.lines.total }
        guard total > 0 else { return nil }
        var columns: [(module: String, files: [(file: FileCoverage, lines: CoverageTally)], lines: Int)] = []
        for entry in measured {
            if let index = columns.firstIndex(where: { Name($0.module) == Name(entry.file.module) }) {
                columns[index].files.append(entry)
                columns[index].lines += entry.lines.total
            } else {
                columns.append((entry.file.module, [entry], entry.lines.total))
            }
        }
        var heads: [Head] = []
        var cells: [Cell] = []
        var before = 0
        for column in columns {
            // In hundredths of a percent.
            let (left, right) = (before * 10_000 / total, (before + column.lines) * 10_000 / total)
            before += column.lines
            let width = max(20, right - left - 20)
            if let style = Fit.style(of: column.module, width: width, height: 10_000) {
                heads.append(Head(x: Self.percent(left), name: column.module, style: style))
            }
            var above = 0
            for entry in column.files {
                let top = above * 10_000 / column.lines
                let bottom = (above + entry.lines.total) * 10_000 / column.lines
                above += entry.lines.total
                let height = max(40, bottom - top - 40)
                let covered = width * entry.lines.covered / entry.lines.total
                let name = entry.file.path.lastPathComponent
                cells.append(
                    Cell(
                        href: links.source(entry.file.path),
                        words: "\(entry.file.path): \(Figures.percent(entry.lines)), \(Figures.tally(entry.lines))",
                        x: Self.percent(left), y: Self.percent(top), width: Self.percent(width),
                        height: Self.percent(height),
                        missed: covered < width
                            ? Missed(
                                x: Self.percent(covered * 10_000 / width),
                                width: Self.percent((width - covered) * 10_000 / width))
                            : nil,
                        name: Fit.style(of: name, width: width, height: height).map { Caption(text: name, style: $0) })
                )
            }
        }
        label = "Files by their lines, in a column for each module: \(columns.map(\.module).joined(separator: ", "))"
        self.heads = heads
        self.cells = cells
    }

    private static func percent(_ hundredths: Int) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// Whether a name fits into its part of the map, by the sizes in the style sheet.
    private enum Fit {
        /// The least width of the map on a wide and on a narrow page, its height, and the height of a line.
        private static let (wide, narrow, high, line) = (820, 280, 240, 17)

        /// The CSS class of a name that fits; `nil` if it fits on no page.
        static func style(of name: String, width: Int, height: Int) -> String? {
            guard height * high / 10_000 >= line else { return nil }
            // Latin letters take seven pixels, others at most twice as much.
            let needed = 10 + name.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 7 : 14) }
            return width * narrow / 10_000 >= needed ? "fits" : width * wide / 10_000 >= needed ? "fits-wide" : nil
        }
    }
}
