import Testing

@testable import Storage

/// Statements, as the store executes them.
@Suite struct StatementTests {
    @Test func `a statement is not executed while its own rows are read, and can be afterwards`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.read { connection in
            let statement = try connection.statement("SELECT ?1 UNION ALL SELECT 2")
            #expect(throws: (any Error).self) {
                try statement.forEach(1) { _ in _ = try statement.all(3) { $0.int(0) } }
            }
            #expect(try statement.all(3) { $0.int(0) } == [3, 2])
        }
    }

    @Test func `named values are given to the parameters of their names, each to one and to all`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.write { connection in
            let insert = try connection.statement("INSERT INTO project (name, default_branch) VALUES (:name, :branch)")
            try insert.execute(named: ["branch": Bytes("main"), "name": Bytes("kit")])
            #expect(throws: (any Error).self) { try insert.execute(named: ["name": Bytes("other")]) }
            #expect(throws: (any Error).self) { try insert.execute(named: ["name": Bytes("other"), "brunch": 1]) }
            let rows = try connection.statement("SELECT name, default_branch FROM project").all {
                [$0.text(0), $0.text(1)]
            }
            #expect(rows == [["kit", "main"]])
        }
    }

    /// The views, and what their columns are called where they have other names than `SummaryColumn` has.
    private static let views: [(String, [String: String])] = [
        ("run_summary", [:]),
        ("state_summary", ["commit_id": "own_commit", "attempt": "own_attempt", "is_of_branch": "is_state"]),
    ]

    @Test(arguments: views)
    func `the columns of the views of runs are read in their order`(view: String, other: [String: String]) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let names = try store.read { connection in
            try connection.statement("SELECT name FROM pragma_table_info(?1)").all(view) { $0.text(0) }
        }
        let expected = SummaryColumn.allCases.map { column in
            other[column.name] ?? column.name
        }
        #expect(Array(names.prefix(expected.count)) == expected)
    }
}
