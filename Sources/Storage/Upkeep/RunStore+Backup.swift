import GRDB

extension RunStore {
    /// Writes a consistent and compact copy of the store into a new file while it stays in use.
    ///
    /// Never copy the file by hand: the content of its log would be missing.
    public func backup(to destination: String) throws(StorageError) {
        try DurableFile.writeNew(destination) { (temporary) throws(StorageError) in
            try withReader { queue in
                try queue.writeWithoutTransaction { database in
                    try Connection(database: database).statement("VACUUM INTO ?1").execute(temporary)
                }
            }
        }
    }
}
