import Exports

/// Columns of text for a terminal, aligned by display width; untrusted text is made safe, and nothing is cut.
package enum TextTable {
    /// Renders the rows, with an optional header.
    package static func render(_ rows: [[String]], header: [String]? = nil) -> String {
        guard !rows.isEmpty else { return "" }
        let safe = ((header.map { [$0] } ?? []) + rows).map { $0.map { TerminalText.safe($0) } }
        let count = safe.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            safe.map { $0.indices.contains(column) ? TerminalText.width($0[column]) : 0 }.max() ?? 0
        }
        return safe.map { row in
            row.enumerated().map { column, text in
                column == row.count - 1 ? text : TerminalText.fitted(text, to: widths[column]) + "  "
            }
            .joined()
        }
        .joined(separator: "\n")
    }
}
