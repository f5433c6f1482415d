import Foundation
import RunModel
import Wording

/// One cell of a table: an optional sign, a text, and an optional explanation.
struct Cell: Sendable, TemplateValue {
    /// The CSS class: `n` for figures, `name`, `state failed`, `bars`, `words`, or `words whole` for text that does
    /// not wrap.
    var style = "words"
    /// The name of its column, shown if the page is too narrow for columns.
    var label: String?
    var sign: String?
    var link: Link?
    var text: BreakableText?
    /// Lines of a file.
    var ranges: [LineRange] = []
    /// The tags of a test.
    var tags: [TagMark] = []
    var code: String?
    var moment: Moment?
    var bar: Bar?
    var detail: String?

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "style": style
        case "label": label
        case "sign": sign
        case "link": link
        case "text": text
        case "ranges": ranges
        case "tags": tags
        case "code": code
        case "moment": moment
        case "bar": bar
        case "detail": detail
        default: nil
        }
    }

    /// A figure, with the name of its column.
    static func figure(_ figure: String, _ label: String, detail: String? = nil, isBad: Bool = false) -> Cell {
        Cell(style: isBad ? "n under" : "n", label: label, text: BreakableText(figure), detail: detail)
    }

    /// A name, as a link if it has a page.
    static func name(_ name: String, _ href: String?, detail: String? = nil) -> Cell {
        Cell(
            style: "name", link: href.map { Link(name, $0) }, text: href == nil ? BreakableText(name) : nil,
            detail: detail?.cut(to: 300))
    }

    /// The outcome of a test; `absent` if it was not in the run.
    static func state(_ outcome: Outcome?, _ label: String? = nil) -> Cell {
        guard let outcome else {
            return Cell(style: "state quiet", label: label, sign: "–", text: BreakableText("absent"))
        }
        return Cell(
            style: outcome.isFailure ? "state failed" : outcome == .passed ? "state passed" : "state quiet",
            label: label, sign: outcome.sign, text: BreakableText(outcome.label))
    }

    static func words(_ words: String, _ label: String? = nil, detail: String? = nil) -> Cell {
        Cell(label: label, text: BreakableText(words.cut(to: 300)), detail: detail?.cut(to: 300))
    }

    /// A few words that do not wrap, unless they are long.
    static func whole(_ words: String, _ label: String) -> Cell {
        var cell = Cell.words(words, label)
        if words.count <= 24 { cell.style = "words whole" }
        return cell
    }

    /// A moment, relative and exact.
    static func moment(_ date: Date, now: Date?) -> Cell { Cell(style: "n when", moment: Moment(date, now: now)) }
}

/// A table of cells.
struct CellTable: Sendable {
    struct Row: Sendable, TemplateValue {
        let cells: [Cell]

        func part(named name: String) -> (any TemplateValue)? { name == "cells" ? cells : nil }
    }

    let columns: [Column]
    let rows: [Row]
    /// Whether a head orders it.
    let isSortable: Bool

    /// A table with these heads, which order it where the list can be.
    init(_ heads: [Head], _ rows: [[Cell]], sorting: Sorting? = nil) {
        columns = heads.map { Column($0, sorting) }
        isSortable = columns.contains { $0.link != nil }
        self.rows = rows.map { Row(cells: $0) }
    }
}
