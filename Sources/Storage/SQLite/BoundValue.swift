import GRDBSQLite

/// A value that is bound to a statement. GRDB's own binding of text ends at a NUL, which would cut hostile names and messages.
protocol BoundValue {
    /// Gives the value to a parameter, counted from 1; the result is SQLite's.
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32
}

/// SQLite copies what is bound, so that it may outlive the call.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension String: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 {
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

extension Int64: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

extension Int: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 { Int64(self).bind(in: statement, at: index) }
}

extension Bool: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self ? 1 : 0).bind(in: statement, at: index)
    }
}

extension Double: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_double(statement, index, self) }
}

extension Optional: BoundValue where Wrapped: BoundValue {
    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 {
        self?.bind(in: statement, at: index) ?? sqlite3_bind_null(statement, index)
    }
}

/// Bytes, also of text: identities are BLOBs, which compare byte by byte under every collation.
struct Bytes: BoundValue {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bind(in statement: OpaquePointer, at index: Int32) -> Int32 {
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
        return sqlite3_bind_blob64(statement, index, bytes, sqlite3_uint64(bytes.count), copied)
    }
}
