import GRDB

/// A version of the store: equal versions mean equal content.
public struct StoreVersion: Sendable, Hashable {
    /// The number of the connection, counted by opening.
    let opening: Int
    /// SQLite's counter of commits by other connections.
    let data: Int64
}

extension RunStore {
    /// The current version of the store; cheaper than any query.
    public func version() throws(StorageError) -> StoreVersion {
        try readers.withFirst { queue, opening in
            // No transaction: within one, nothing ever changes.
            try queue.unsafeRead { database in
                let data = try Connection(database: database).statement("PRAGMA data_version").first { $0.integer(0) }
                return StoreVersion(opening: opening, data: data ?? 0)
            }
        }
    }
}
