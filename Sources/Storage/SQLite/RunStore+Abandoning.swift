import GRDB
import GRDBSQLite

extension RunStore {
    /// Whether nobody waits any more for what the current task reads; `nil` where somebody always does.
    @TaskLocal static var isAbandoned: (@Sendable () -> Bool)?

    /// Gives up what `body` reads as soon as nobody waits for it any more, also in the middle of a statement.
    ///
    /// A read that is given up throws an error that says so (`StorageError.isGivenUp`). What `body` writes is not concerned.
    ///
    /// - Parameter isAbandoned: Is asked before each read, and within a read every few microseconds, so it must be quick and never wait.
    public static func reading<Value: Sendable>(
        until isAbandoned: @escaping @Sendable () -> Bool, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $isAbandoned.withValue(isAbandoned, operation: body)
    }

    /// Begins no read that nobody waits for.
    func checkAwaited() throws(StorageError) {
        guard Self.isAbandoned?() == true else { return }
        throw .failed(path: path, code: Int(SQLITE_INTERRUPT), message: "nobody waits for the answer any more")
    }
}

extension StorageError {
    /// Whether a read was given up because nobody waited for it any more; any other error is a fault, whether somebody waits or not.
    public var isGivenUp: Bool {
        guard case .failed(_, let code, _) = self else { return false }
        return code == Int(SQLITE_INTERRUPT)
    }
}

extension Database {
    /// How many steps SQLite makes until it is asked again whether somebody waits for the result.
    private static let steps: Int32 = 1_000

    /// Has SQLite end a statement that nobody waits for. It asks on the thread of the reader, so that no other statement is hit.
    func endAbandonedStatements() {
        sqlite3_progress_handler(sqliteConnection, Self.steps, { _ in RunStore.isAbandoned?() == true ? 1 : 0 }, nil)
    }
}
