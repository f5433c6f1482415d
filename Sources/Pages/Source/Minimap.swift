import RunModel
import Wording

/// A source file as a narrow strip at its side: covered, missed and changed lines as bands, each a link to its first
/// line.
///
/// The list of missed ranges above the file says the same in words. The strip has at most `rows` rows; a row with a
/// missed line is shown as missed.
struct Minimap: Sendable {
    /// Consecutive rows of one color.
    struct Band: Sendable, TemplateValue {
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

    static let rows = 400

    let label: String
    /// The height in rows.
    let height: Int
    let bands: [Band]

    /// The strip of a file; `nil` for one without executable lines and without a change.
    init?(_ lines: [SourceLine]) {
        let rows = min(max(lines.count, 1), Self.rows)
        var covered = [Row?](repeating: nil, count: rows)
        var changed = [Row?](repeating: nil, count: rows)
        for (index, line) in lines.enumerated() {
            let row = index * rows / lines.count
            if let state = line.state, covered[row]?.state != .missed, covered[row]?.state != state {
                covered[row] = Row(state: state, line: line.number)
            }
            if line.change != nil, changed[row] == nil { changed[row] = Row(state: .changed, line: line.number) }
        }
        bands = Self.bands(of: changed, x: 0, width: 6) + Self.bands(of: covered, x: 8, width: 12)
        guard !bands.isEmpty else { return nil }
        height = rows
        let missed = lines.count { $0.state == .missed }
        label = "The file from top to bottom: \(Figures.counted(missed, "missed line"))"
    }

    /// What a row shows, and the first line of that kind in it.
    private struct Row {
        let state: SourceLine.State
        let line: Int
    }

    private static func bands(of cells: [Row?], x: Int, width: Int) -> [Band] {
        var bands: [Band] = []
        var row = 0
        while row < cells.count {
            guard let first = cells[row] else {
                row += 1
                continue
            }
            let end = cells[row...].firstIndex { $0?.state != first.state } ?? cells.count
            bands.append(
                Band(
                    style: first.state.rawValue, x: x, y: row, width: width, height: end - row, href: "#L\(first.line)",
                    words: "\(first.state.rawValue) from line \(Figures.grouped(first.line))"))
            row = end
        }
        return bands
    }
}
