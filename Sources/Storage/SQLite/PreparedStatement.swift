import GRDB
import GRDBSQLite

/// A compiled statement of GRDB. Text passes with every byte in both directions; GRDB's own text ends at a NUL.
struct PreparedStatement {
    // Kept by GRDB for the next time.
    private let statement: Statement
    private let trace: StatementTrace?

    init(_ statement: Statement, trace: StatementTrace? = nil) { (self.statement, self.trace) = (statement, trace) }

    /// Runs the statement to its end.
    func execute<each Value: BoundValue>(_ value: repeat each Value) throws {
        try step(repeat each value) { _ in true }
    }

    /// Runs the statement to its end with a value for each of its parameters, by their names without the colon.
    func execute(named values: [String: any BoundValue]) throws {
        let handle = statement.sqliteStatement
        // What is bound stays bound, and a later execution gives every parameter a value again.
        for (name, value) in values {
            let place = sqlite3_bind_parameter_index(handle, ":\(name)")
            guard place > 0 else { throw failure(SQLITE_MISUSE, "no parameter '\(name)' in: \(statement.sql)") }
            let code = value.bind(in: handle, at: place)
            guard code == SQLITE_OK else { throw failure(code) }
        }
        guard values.count == sqlite3_bind_parameter_count(handle) else {
            throw failure(SQLITE_MISUSE, "\(values.count) values for: \(statement.sql)")
        }
        try run { _ in true }
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
    /// It calls SQLite directly, because a page executes one statement a hundred times and GRDB's cursor takes longer than the query.
    /// What the cursor does besides, nobody needs here: it tells observers of transactions, can be suspended, and refuses to go on in a
    /// transaction that SQLite has rolled back. No caller goes on in one.
    func step<each Value: BoundValue>(
        _ value: repeat each Value, body: (StatementRow) throws -> Bool
    ) throws {
        let handle = statement.sqliteStatement
        guard sqlite3_stmt_busy(handle) == 0 else {
            throw failure(SQLITE_MISUSE, "a statement is executed while its own rows are read")
        }
        var count: Int32 = 0
        for value in repeat each value {
            count += 1
            let code = value.bind(in: handle, at: count)
            guard code == SQLITE_OK else { throw failure(code) }
        }
        guard count == sqlite3_bind_parameter_count(handle) else {
            throw failure(SQLITE_MISUSE, "\(count) values for: \(statement.sql)")
        }
        try run(body)
    }

    /// Calls `body` for one row after the other, as long as it returns `true`; all parameters have their values.
    private func run(_ body: (StatementRow) throws -> Bool) throws {
        let handle = statement.sqliteStatement
        // A statement that is not reset keeps the lock of its transaction.
        defer { sqlite3_reset(handle) }
        var spent = Duration.zero
        defer { trace?.note(statement.sql, spent) }
        while true {
            let start = trace == nil ? Duration.zero : StatementTrace.now
            let code = sqlite3_step(handle)
            if trace != nil { spent += StatementTrace.now - start }
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            guard try body(StatementRow(handle)) else { return }
        }
    }

    /// An error of SQLite, by default with its own message.
    private func failure(_ code: Int32, _ message: String? = nil) -> DatabaseError {
        let said = sqlite3_db_handle(statement.sqliteStatement).map { String(cString: sqlite3_errmsg($0)) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message ?? said, sql: statement.sql)
    }
}
