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
}
