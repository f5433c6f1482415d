import GRDB

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
        try withOpening { queue, opening in
            // No transaction: within one, nothing ever changes.
            try queue.unsafeRead { database in
                let data = try Connection(database: database).statement("PRAGMA data_version").first { $0.integer(0) }
                return StoreVersion(opening: opening, data: data ?? 0)
            }
        }
    }
}
