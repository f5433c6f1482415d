import GRDBSQLite

/// The current row of a statement; valid only inside the closure it is passed to. Columns are counted from 0.
struct StatementRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func flag(_ column: Int32) -> Bool { sqlite3_column_int64(statement, column) != 0 }

    func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The text of a TEXT or BLOB column with every byte, a NUL included.
    func text(_ column: Int32) -> String {
        let address = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(
            decoding: UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: Int32) -> [UInt8] {
        let address = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return [UInt8](UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
    }

    /// A value that is stored as its raw value.
    func value<Value: RawRepresentable<String>>(_ column: Int32, as type: Value.Type) throws -> Value {
        let raw = text(column)
        guard let value = Value(rawValue: raw) else { throw UnreadableContent("unknown \(type) '\(raw)'") }
        return value
    }
}
