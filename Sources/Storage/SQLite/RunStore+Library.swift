import GRDBSQLite

extension RunStore {
    /// The version of SQLite that is loaded, such as `3.40.1`.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}
