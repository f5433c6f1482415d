import GRDB
import GRDBSQLite

/// A state of the store: two that are equal have the same content.
public struct StoreVersion: Sendable, Hashable {
    /// Which of the connections that were opened one after the other.
    let opening: Int
    /// What SQLite counts up when another connection has committed something.
    let data: Int64
}

extension RunStore {
    /// The state of the store at this moment; cheaper than any question to it.
    public func version() throws(StorageError) -> StoreVersion {
        // What is remembered of a state would be older still otherwise.
        try withOpening(isLooking: true) { queue, opening in
            // No transaction: within one, nothing ever changes.
            try queue.unsafeRead { database in
                let data = try Connection(database: database).statement("PRAGMA data_version").first { $0.integer(0) }
                return StoreVersion(opening: opening, data: data ?? 0)
            }
        }
    }
}

extension Connection {
    /// The state of the store that the last statement saw; `nil` where SQLite does not say.
    ///
    /// - Parameter opening: The place of this connection among those that were opened one after the other.
    func version(_ opening: Int) -> StoreVersion? {
        var data: UInt32 = 0
        // It is what `PRAGMA data_version` says, without a statement of its own.
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &data)
        return code == SQLITE_OK ? StoreVersion(opening: opening, data: Int64(data)) : nil
    }
}
