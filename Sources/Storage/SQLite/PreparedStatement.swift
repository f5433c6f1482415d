import GRDB
import GRDBSQLite

/// A compiled statement of GRDB. Text passes with every byte in both directions; GRDB's own text ends at a NUL.
struct PreparedStatement {
    // Kept by GRDB for the next time.
    private let statement: Statement
    private let trace: StatementTrace?

    init(_ statement: Statement, trace: StatementTrace? = nil) {
        self.statement = statement
        self.trace = trace
    }

    /// Runs the statement to its end.
    func execute<each Value: BoundValue>(_ value: repeat each Value) throws {
        try step(repeat each value) { _ in true }
    }

    /// Calls `body` for every row.
    func forEach<each Value: BoundValue>(
        _ value: repeat each Value, row body: (StatementRow) throws -> Void
    ) throws {
        try step(repeat each value) { row in
            try body(row)
            return true
        }
    }

    /// All rows, converted by `read`.
    func all<each Value: BoundValue, Element>(
        _ value: repeat each Value, row read: (StatementRow) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try forEach(repeat each value) { elements.append(try read($0)) }
        return elements
    }

    /// The first row, converted by `read`; `nil` if there is none.
    func first<each Value: BoundValue, Element>(
        _ value: repeat each Value, row read: (StatementRow) throws -> Element
    ) throws -> Element? {
        var element: Element?
        try step(repeat each value) { row in
            element = try read(row)
            return false
        }
        return element
    }

    /// Calls `body` for one row after the other, as long as it returns `true`.
    ///
    /// A page reads hundreds of rows, each with a statement of its own, so SQLite is asked without a cursor in between.
    private func step<each Value: BoundValue>(
        _ value: repeat each Value, body: (StatementRow) throws -> Bool
    ) throws {
        let handle = statement.sqliteStatement
        // It may have been left before its end, and a statement that is not reset keeps the lock of its transaction.
        sqlite3_reset(handle)
        defer { sqlite3_reset(handle) }
        var count: Int32 = 0
        for value in repeat each value {
            count += 1
            try check(value.bind(in: handle, at: count))
        }
        guard count == sqlite3_bind_parameter_count(handle) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(count) values for: \(statement.sql)")
        }
        var spent = Duration.zero
        defer { trace?.note(statement.sql, spent) }
        while true {
            let start = trace == nil ? Duration.zero : StatementTrace.now
            let code = sqlite3_step(handle)
            if trace != nil { spent += StatementTrace.now - start }
            if code == SQLITE_DONE { return }
            if code != SQLITE_ROW { try check(code) }
            guard try body(StatementRow(handle)) else { return }
        }
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        let message = sqlite3_db_handle(statement.sqliteStatement).map { String(cString: sqlite3_errmsg($0)) }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }
}
