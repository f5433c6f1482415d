import GRDB
import GRDBSQLite

/// A compiled statement, stepped through SQLite itself.
///
/// Twice the speed of GRDB's rows where it counts, and exact: text passes with its length in both directions.
final class PreparedStatement {
    // Keeps the handle alive; GRDB's cache owns it.
    private let statement: Statement
    private let handle: OpaquePointer

    init(_ statement: Statement) {
        self.statement = statement
        handle = statement.sqliteStatement
    }

    /// Runs the statement to its end.
    func execute<each Value: StatementValue>(_ value: repeat each Value) throws {
        defer { sqlite3_reset(handle) }
        try bind(repeat each value)
        while try step() {}
    }

    /// Calls `body` for every row.
    func forEach<each Value: StatementValue>(
        _ value: repeat each Value, row body: (StatementRow) throws -> Void
    ) throws {
        defer { sqlite3_reset(handle) }
        try bind(repeat each value)
        while try step() { try body(StatementRow(handle)) }
    }

    /// Every row, as `read` turns it into a value.
    func all<each Value: StatementValue, Element>(
        _ value: repeat each Value, row read: (StatementRow) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try forEach(repeat each value) { elements.append(try read($0)) }
        return elements
    }

    /// The first row, as `read` turns it into a value; `nil` when there is none.
    func first<each Value: StatementValue, Element>(
        _ value: repeat each Value, row read: (StatementRow) throws -> Element
    ) throws -> Element? {
        defer { sqlite3_reset(handle) }
        try bind(repeat each value)
        return try step() ? read(StatementRow(handle)) : nil
    }

    private func bind<each Value: StatementValue>(_ value: repeat each Value) throws {
        var index: Int32 = 0
        for value in repeat each value {
            index += 1
            let code = value.bind(to: handle, at: index)
            guard code == SQLITE_OK else { throw failure(code) }
        }
        guard index == sqlite3_bind_parameter_count(handle) else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "\(index) values for: \(statement.sql)")
        }
    }

    private func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        let connection = sqlite3_db_handle(handle)
        return SQLiteFailure(
            code: connection == nil ? code : sqlite3_extended_errcode(connection), connection: connection)
    }
}
