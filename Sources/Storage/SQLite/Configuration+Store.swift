import GRDB

extension Configuration {
    /// Reads only; waits while another process recovers the log. A statement ends when nobody waits for it.
    static func reader(timeout: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(timeout.seconds)
        configuration.label = "kanmon.reader"
        configuration.prepareDatabase { database in
            try database.harden()
            database.endAbandonedStatements()
        }
        return configuration
    }

    /// Writes through the log and syncs it at every commit.
    static func writer(timeout: Duration, foreignKeys: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(timeout.seconds)
        configuration.foreignKeysEnabled = foreignKeys
        configuration.label = "kanmon.writer"
        configuration.prepareDatabase { database in
            try database.harden()
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return configuration
    }
}

extension Database {
    /// A file may have been tampered with: nothing in its schema may call functions with side effects. No page is
    /// mapped into memory, because a truncated file would cause a signal instead of an error.
    ///
    /// `SQLITE_DBCONFIG_DEFENSIVE` cannot be set, because Swift cannot call a variadic C function.
    fileprivate func harden() throws {
        try execute(sql: "PRAGMA trusted_schema = OFF")
        try execute(sql: "PRAGMA cell_size_check = ON")
        try execute(sql: "PRAGMA mmap_size = 0")
    }
}

extension Duration {
    /// Seconds, for interfaces that need them.
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
