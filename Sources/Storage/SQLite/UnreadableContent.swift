import GRDB
import GRDBSQLite

/// A value in a row that this version of Kanmon cannot have written.
struct UnreadableContent: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension StorageError {
    /// The `StorageError` for any error of the store at `path`.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StorageError:
            self = error
        case let error as UnreadableContent:
            self = .corrupted(path: path, message: error.message)
        case let error as DatabaseError:
            let code = error.extendedResultCode.rawValue
            self = Self.sqlite(code: code, message: error.message ?? "no message", path: path)
        default:
            self = .failed(path: path, code: 0, message: String(describing: error))
        }
    }

    private static func sqlite(code: Int32, message: String, path: String) -> StorageError {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupted(path: path, message: message)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(path: path, message: message)
        case SQLITE_FULL: .full(path: path, message: message)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path, message: message)
        case SQLITE_CANTOPEN: .cannotOpen(path: path, message: message)
        default: .failed(path: path, code: Int(code), message: message)
        }
    }
}
