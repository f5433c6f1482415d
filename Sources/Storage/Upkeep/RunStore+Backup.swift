import GRDB

extension RunStore {
    /// Writes a consistent and compact copy of the store into a new file while it stays in use.
    ///
    /// Never copy the file by hand: the content of its log would be missing.
    public func backup(to destination: String) throws(StorageError) {
        guard !DurableFile.exists(destination) else { throw .fileExists(path: destination) }
        let temporary = "\(destination).partial"
        try DurableFile.remove(temporary)
        _ = try DurableFile.create(temporary)
        do {
            try withReader { queue in
                try queue.writeWithoutTransaction { database in
                    try Connection(database: database).statement("VACUUM INTO ?1").execute(temporary)
                }
            }
            try DurableFile.publish(temporary, as: destination)
        } catch {
            try? DurableFile.remove(temporary)
            throw error
        }
    }
}
