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
    func execute<each Value: StatementBinding>(_ value: repeat each Value) throws {
        try step(repeat each value) { _ in true }
    }

    /// Calls `body` for every row.
    func forEach<each Value: StatementBinding>(
        _ value: repeat each Value, row body: (StatementRow) throws -> Void
    ) throws {
        try step(repeat each value) { row in
            try body(row)
            return true
        }
    }

    /// All rows, converted by `read`.
    func all<each Value: StatementBinding, Element>(
        _ value: repeat each Value, row read: (StatementRow) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try forEach(repeat each value) { elements.append(try read($0)) }
        return elements
    }

    /// The first row, converted by `read`; `nil` if there is none.
    func first<each Value: StatementBinding, Element>(
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
    private func step<each Value: StatementBinding>(
        _ value: repeat each Value, body: (StatementRow) throws -> Bool
    ) throws {
        // GRDB need not check arguments that it does not bind.
        statement.setUncheckedArguments(StatementArguments())
        var count: Int32 = 0
        for value in repeat each value {
            count += 1
            let text = (value as? String).map { Text($0) }
            let code =
                text?.bind(to: statement.sqliteStatement, at: count)
                ?? value.bind(to: statement.sqliteStatement, at: count)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        guard count == sqlite3_bind_parameter_count(statement.sqliteStatement) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(count) values for: \(statement.sql)")
        }
        let rows = try Row.fetchCursor(statement)
        var spent = Duration.zero
        defer { trace?.note(statement.sql, spent) }
        while true {
            let start = trace == nil ? Duration.zero : StatementTrace.now
            let row = try rows.next()
            if trace != nil { spent += StatementTrace.now - start }
            guard row != nil, try body(StatementRow(statement.sqliteStatement)) else { return }
        }
    }
}
