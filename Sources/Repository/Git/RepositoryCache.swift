import Synchronization

/// What was read of commits and trees, which never change, and of a setting that does not meanwhile: on the way to a verdict the
/// same is asked several times.
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
    /// More than any verdict asks for; whoever reads whole trees keeps nothing by that.
    private static let most = 64
    private static let largest = 256 << 10

    /// What git said of the address of `origin`, where it was asked before.
    var origin: GitOutput? {
        get { state.withLock { $0.origin } }
        set { state.withLock { $0.origin = newValue } }
    }

    /// What a file holds, where that was read before; the inner `nil` is for no such file.
    func content(of path: String, in object: ObjectID) -> [UInt8]?? {
        state.withLock { $0.files[Place(object: object, path: Array(path.utf8))] }
    }

    /// Keeps what a file holds.
    func keep(_ bytes: [UInt8]?, of path: String, in object: ObjectID) {
        guard bytes?.count ?? 0 <= Self.largest else { return }
        state.withLock { state in
            guard state.files.count < Self.most else { return }
            state.files[Place(object: object, path: Array(path.utf8))] = .some(bytes)
        }
    }

    /// Keeps the files below a folder.
    func keep(_ entries: [UInt8], below folder: String, in object: ObjectID) {
        let listing = Listing(
            object: object, folder: folder.isEmpty ? [] : Array("\(folder)/".utf8), entries: entries)
        state.withLock { $0.listings = $0.listings.suffix(3) + [listing] }
    }

    /// The entries below a folder, where those were listed before.
    func entries(below folder: String, in object: ObjectID) -> [UInt8]? {
        let folder = folder.isEmpty ? [] : Array("\(folder)/".utf8)
        return state.withLock { state in
            state.listings.first { $0.object == object && $0.folder == folder }?.entries
        }
    }
}
