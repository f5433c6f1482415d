import GRDB
import GRDBSQLite

/// SQLite copies what is bound, so that it may outlive the call.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Text with its length: GRDB binds text only up to its first NUL, which would cut hostile names and messages.
struct Text: StatementBinding {
    private let text: String

    init(_ text: String) { self.text = text }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = text
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

/// Bytes, also of text: identities are BLOBs, which compare byte by byte under every collation.
struct Bytes: StatementBinding {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
        return sqlite3_bind_blob64(statement, index, bytes, sqlite3_uint64(bytes.count), copied)
    }
}
