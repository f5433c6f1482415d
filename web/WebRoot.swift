import Foundation

/// Why a file of the dashboard's face could not be read.
public enum WebError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file is not in the folder, or may not be read.
    case unreadable(file: WebFile, folder: String, reason: String)

    /// A fragment that fits "kanmon: failed to …".
    public var description: String {
        switch self {
        case .unreadable(let file, let folder, let reason): "read \(file.rawValue) in \(folder): \(reason)"
        }
    }

    /// What to try.
    public var hint: String? { "give the path of Kanmon's own web folder, or leave --web-root out" }
}

/// Where the files come from: out of the program itself, or out of a folder while someone works on them.
public enum WebRoot: Sendable, Hashable {
    /// The files that were built into the program.
    case embedded
    /// The files in a folder laid out like `web/`, read again at every use, so that an edit shows on reload.
    case folder(String)

    /// The bytes of one file.
    public func bytes(of file: WebFile) throws(WebError) -> [UInt8] {
        switch self {
        case .embedded:
            return file.embedded
        case .folder(let folder):
            do {
                return Array(try Data(contentsOf: URL(filePath: folder).appending(path: file.rawValue)))
            } catch {
                let reason = (error as NSError).localizedFailureReason ?? error.localizedDescription
                throw .unreadable(file: file, folder: folder, reason: reason)
            }
        }
    }
}
