import GRDBSQLite

/// A value that can be bound to a parameter of a statement.
///
/// Lengths are always passed: GRDB binds text up to its first NUL, which would cut hostile names and messages.
protocol StatementValue {
    /// Binds the value and returns SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

/// SQLite copies what is bound, so that it may outlive the call.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
}

extension Int: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Bool: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension String: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            // An empty buffer may have no address, which would bind NULL.
            guard let address = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
            return sqlite3_bind_text64(
                statement, index, UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self),
                sqlite3_uint64(bytes.count), copied, UInt8(SQLITE_UTF8)
            )
        }
    }
}

extension [UInt8]: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return sqlite3_bind_blob64(statement, index, address, sqlite3_uint64(bytes.count), copied)
        }
    }
}

extension Optional: StatementValue where Wrapped: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .none: sqlite3_bind_null(statement, index)
        case .some(let value): value.bind(to: statement, at: index)
        }
    }
}

/// Text stored as bytes: an identity, which compares byte by byte under every collation.
struct Bytes: StatementValue {
    let text: String

    init(_ text: String) { self.text = text }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let address = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return sqlite3_bind_blob64(statement, index, address, sqlite3_uint64(bytes.count), copied)
        }
    }
}
