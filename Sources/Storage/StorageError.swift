public import RunModel

/// An error of the store.
public enum StorageError: Error, Sendable, Hashable {
    /// The file could not be opened or created.
    case cannotOpen(path: String, message: String)
    /// A newer version of Kanmon wrote the file; it was not changed.
    case newerVersion(path: String, found: Int, supported: Int)
    /// The file is no database of Kanmon; it was not changed.
    case notAStore(path: String, message: String)
    /// The file is damaged.
    case corrupted(path: String, message: String)
    /// Another process locked the store for longer than the timeout.
    case busy(path: String, message: String)
    /// The disk is full.
    case full(path: String, message: String)
    /// The store was opened for reading, or the file system does not allow more.
    case readOnly(path: String, message: String)
    /// SQLite failed in another way; `code` is its extended result code.
    case failed(path: String, code: Int, message: String)
    /// The run contradicts itself and cannot be stored without loss.
    case invalidRun(id: RunID, message: String)
    /// There is no such run in the store.
    case unknownRun(path: String, id: RunID)
    /// Two runs of different projects have no test in common.
    case differentProjects(RunID, RunID)
    /// A file that must not be overwritten exists.
    case fileExists(path: String)
    /// There is another project of this name.
    case nameTaken(path: String, name: String)
}

extension StorageError: CustomStringConvertible {
    /// A fragment in lower case for "kanmon: failed to …".
    public var description: String {
        switch self {
        case .cannotOpen(let path, let message):
            "open the store \(path): \(message)"
        case .newerVersion(let path, let found, let supported):
            "open the store \(path): its schema is version \(found), this Kanmon knows \(supported)"
        case .notAStore(let path, let message):
            "open the store \(path): it is not a database of Kanmon (\(message))"
        case .corrupted(let path, let message):
            "read the store \(path): it is damaged (\(message))"
        case .busy(let path, let message):
            "use the store \(path): \(message)"
        case .full(let path, let message):
            "write to the store \(path): no room left (\(message))"
        case .readOnly(let path, let message):
            "write to the store \(path): \(message)"
        case .failed(let path, let code, let message):
            "use the store \(path): \(message) (SQLite \(code))"
        case .invalidRun(let id, let message):
            "store the run \(id): \(message)"
        case .unknownRun(let path, let id):
            "find the run \(id) in the store \(path)"
        case .differentProjects(let one, let other):
            "compare the runs \(one) and \(other): they belong to different projects"
        case .fileExists(let path):
            "write \(path): it exists already"
        case .nameTaken(let path, let name):
            "rename the project in the store \(path): there is one named '\(name)'"
        }
    }

    /// What to do, printed after "Try: ".
    public var hint: String? {
        switch self {
        case .cannotOpen, .failed: nil
        case .newerVersion: "update Kanmon; the store was not changed."
        case .notAStore: "name another file; this one was not changed."
        case .corrupted: "run `kanmon db rebuild`: it rebuilds the store from the run directories."
        case .busy: "wait until the other process has finished, then try again."
        case .full: "free some disk space; runs that are already stored are intact."
        case .readOnly: "check the permissions of the file and of its folder."
        case .invalidRun: "keep the run directory and report this."
        case .unknownRun: "list the runs with `kanmon history`."
        case .differentProjects: "compare two runs of one project."
        case .fileExists: "name a file that does not exist yet."
        case .nameTaken: "choose another name; two projects are never made one."
        }
    }
}
