import GRDB
import GRDBSQLite

extension RunStore {
    /// Whether nobody waits any more for the result of the current task's reads; `nil` if somebody always does.
    @TaskLocal static var isAbandoned: (@Sendable () -> Bool)?

    /// Ends the reads of `body` as soon as nobody waits for their result any more, even in the middle of a statement.
    ///
    /// A read that is ended throws an error that says so (`StorageError.isGivenUp`). Writes of `body` are not affected.
    ///
    /// - Parameter isAbandoned: Is asked before each read, and within a read every few microseconds, so it must be quick and never wait.
    public static func reading<Value: Sendable>(
        until isAbandoned: @escaping @Sendable () -> Bool, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $isAbandoned.withValue(isAbandoned, operation: body)
    }

    /// Throws instead of beginning something that nobody waits for.
    public func checkAwaited() throws(StorageError) {
        guard Self.isAbandoned?() == true else { return }
        throw .failed(path: path, code: Int(SQLITE_INTERRUPT), message: "nobody waits for the answer any more")
    }
}

extension StorageError {
    /// Whether a read was ended because nobody waited for it any more; any other error is a fault, whether somebody waits or not.
    public var isGivenUp: Bool {
        guard case .failed(_, let code, _) = self else { return false }
        return code == Int(SQLITE_INTERRUPT)
    }
}

extension Database {
    /// After how many steps SQLite checks again whether somebody waits for the result.
    private static let steps: Int32 = 1_000

    /// Makes SQLite end a statement that nobody waits for. The check runs on the thread of the reader, so that it ends no other statement.
    func endAbandonedStatements() {
        sqlite3_progress_handler(sqliteConnection, Self.steps, { _ in RunStore.isAbandoned?() == true ? 1 : 0 }, nil)
    }
}
