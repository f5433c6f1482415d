import Exports

/// Columns of text for a terminal, aligned by what a reader sees; untrusted text is made safe.
enum TextTable {
    /// Renders the rows; the last column takes what is left of the line and is cut there.
    static func render(_ rows: [[String]], columns: Int) -> String {
        let safe = rows.map { $0.map { TerminalText.safe($0) } }
        let count = safe.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            safe.map { $0.indices.contains(column) ? TerminalText.width($0[column]) : 0 }.max() ?? 0
        }
        return safe.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                let isLast = column == row.count - 1
                line += isLast ? text : TerminalText.fitted(text, to: min(widths[column], columns / 2)) + "  "
            }
            return TerminalText.cut(line, to: max(40, columns))
        }
        .joined(separator: "\n")
    }
}
