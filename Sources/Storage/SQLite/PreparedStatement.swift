import GRDB
import GRDBSQLite

/// A compiled statement, stepped through SQLite itself.
///
/// Twice the speed of GRDB's rows where it counts, and exact: text passes with its length in both directions.
final class PreparedStatement {
    // Keeps the handle alive; GRDB's cache owns it.
    private let statement: Statement
    private let handle: OpaquePointer
    private let trace: StatementTrace?
    // Of the execution that is under way; kept only for a trace.
    private var spent = Duration.zero

    init(_ statement: Statement, trace: StatementTrace? = nil) {
        self.statement = statement
        handle = statement.sqliteStatement
        self.trace = trace
    }

    /// Runs the statement to its end.
    func execute<each Value: StatementValue>(_ value: repeat each Value) throws {
        defer { finish() }
        try bind(repeat each value)
        while try step() {}
    }

    /// Calls `body` for every row.
    func forEach<each Value: StatementValue>(
        _ value: repeat each Value, row body: (StatementRow) throws -> Void
    ) throws {
        defer { finish() }
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
        defer { finish() }
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
        let start = trace == nil ? Duration.zero : StatementTrace.now
        let code = sqlite3_step(handle)
        if trace != nil { spent += StatementTrace.now - start }
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func finish() {
        sqlite3_reset(handle)
        guard let trace else { return }
        trace.note(statement.sql, spent)
        spent = .zero
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        let connection = sqlite3_db_handle(handle)
        return SQLiteFailure(
            code: connection == nil ? code : sqlite3_extended_errcode(connection), connection: connection)
    }
}
