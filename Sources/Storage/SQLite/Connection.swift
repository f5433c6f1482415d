import GRDB

/// A connection inside of a transaction.
struct Connection {
    let database: Database
    /// Records the cost of statements, if set.
    var trace: StatementTrace?

    /// The compiled statement for `sql`, kept for the next time.
    func statement(_ sql: String) throws -> PreparedStatement {
        PreparedStatement(try database.cachedStatement(sql: sql), trace: trace)
    }

    /// The compiled statement of a page.
    func statement(_ query: PageQuery) throws -> PreparedStatement { try statement(query.rawValue) }

    /// The compiled statement of a question about states.
    func statement(_ query: StateQuery) throws -> PreparedStatement { try statement(query.rawValue) }

    /// The compiled statement of a question about many runs' tests.
    func statement(_ query: FlakyQuery) throws -> PreparedStatement { try statement(query.rawValue) }

    /// The compiled statement of a search.
    func statement(_ query: SearchQuery) throws -> PreparedStatement { try statement(query.rawValue) }

    /// The row id of the last row inserted.
    var lastInsertedRow: Int64 { database.lastInsertedRowID }
}
