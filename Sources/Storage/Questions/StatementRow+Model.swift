import Foundation
import RunModel

extension StatementRow {
    /// The identity of a run.
    func runID(_ column: Int32) throws -> RunID {
        let text = text(column)
        guard let id = RunID(text) else { throw UnreadableContent("'\(text)' is no run id") }
        return id
    }

    /// The identity of a test in four columns, the first is `column`.
    func testID(_ column: Int32) -> TestID {
        TestID(
            module: text(column), suite: text(column + 1), name: text(column + 2), discriminator: text(column + 3)
        )
    }

    /// A source location in three columns, the first is `column`: path, line, column.
    func location(_ column: Int32) -> SourceLocation? {
        isNull(column)
            ? nil : SourceLocation(path: text(column), line: int(column + 1), column: optionalInt(column + 2))
    }

    /// A list of texts that is stored as JSON; empty where there is none.
    func texts(_ column: Int32) throws -> [String] {
        try optionalText(column).map { try StoredJSON.decode([String].self, from: $0) } ?? []
    }

    /// An attachment in three columns, the first is `column`: name, path, bytes.
    func attachment(_ column: Int32) -> TestAttachment {
        TestAttachment(name: text(column), path: text(column + 1), bytes: int(column + 2))
    }

    func optionalDuration(_ column: Int32) -> Duration? { optionalInteger(column).map { .nanoseconds($0) } }
}
