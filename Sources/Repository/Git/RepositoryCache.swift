import Synchronization

/// Caches contents of commits and trees, which never change, and a setting: judging a run reads the same several
/// times.
final class RepositoryCache: Sendable {
    /// A path in a commit or tree.
    private struct Place: Hashable {
        var object: ObjectID
        var path: [UInt8]
    }

    private struct Listing {
        var object: ObjectID
        /// The folder that was listed, with a slash at its end; empty for everything.
        var folder: [UInt8]
        /// Entries as git gives them: `<mode> <type> <object>TAB<path>NUL`.
        var entries: [UInt8]
    }

    private struct State {
        var files: [Place: [UInt8]?] = [:]
        var listings: [Listing] = []
        var origin: GitOutput?
    }

    private let state = Mutex(State())
    /// More than judging a run needs.
    private static let most = 64
    private static let largest = 256 << 10

    /// The address of `origin`, if it was read before.
    var origin: GitOutput? {
        get { state.withLock { $0.origin } }
        set { state.withLock { $0.origin = newValue } }
    }

    /// The content of a file, if it was read before; the inner `nil` means that there is no such file.
    func content(of path: String, in object: ObjectID) -> [UInt8]?? {
        state.withLock { $0.files[Place(object: object, path: Array(path.utf8))] }
    }

    /// Caches the content of a file.
    func keep(_ bytes: [UInt8]?, of path: String, in object: ObjectID) {
        guard bytes?.count ?? 0 <= Self.largest else { return }
        state.withLock { state in
            guard state.files.count < Self.most else { return }
            state.files[Place(object: object, path: Array(path.utf8))] = .some(bytes)
        }
    }

    /// Caches the files below a folder.
    func keep(_ entries: [UInt8], below folder: String, in object: ObjectID) {
        let listing = Listing(
            object: object, folder: folder.isEmpty ? [] : Array("\(folder)/".utf8), entries: entries)
        state.withLock { $0.listings = $0.listings.suffix(3) + [listing] }
    }

    /// The entries below a folder, if they were listed before.
    func entries(below folder: String, in object: ObjectID) -> [UInt8]? {
        let folder = folder.isEmpty ? [] : Array("\(folder)/".utf8)
        return state.withLock { state in
            state.listings.first { $0.object == object && $0.folder == folder }?.entries
        }
    }
}
