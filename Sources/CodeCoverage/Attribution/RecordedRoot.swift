import Evidence
import RunModel

/// The folder of the root package as the compiler recorded it.
///
/// It is the manifest's, unless the package was reached through a symbolic link: then no listed source is in the
/// manifest's folder, and the only folder with the listed sources is used instead.
struct RecordedRoot {
    /// Whether any path of the export is a source that a target lists.
    let isCertain: Bool
    /// With a slash at its end.
    private let prefix: String

    init(of paths: [String], manifest: RunManifest, owners: SourceOwners) {
        let stated = RecordedPath.normalized(manifest.packageRoot)
        let prefix = stated.utf8.last == UInt8(ascii: "/") ? stated : stated + "/"
        let holdsSource = paths.contains {
            Self.relative($0, to: prefix).map { owners.lists($0) } ?? false
        }
        let other = holdsSource ? nil : Self.other(paths, owners: owners)
        self.prefix = other ?? prefix
        isCertain = holdsSource || other != nil
    }

    /// The path relative to the package; `nil` outside of it.
    func relative(_ recorded: String) -> String? { Self.relative(recorded, to: prefix) }

    private static func relative(_ recorded: String, to prefix: String) -> String? {
        let path = RecordedPath.normalized(recorded)
        guard path.utf8.first == UInt8(ascii: "/") else { return path }
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// The only folder, except dependencies, that has files at the paths of the targets' sources.
    private static func other(_ paths: [String], owners: SourceOwners) -> String? {
        var found: Set<Name> = []
        // The package itself may lie in a hidden folder.
        for path in paths.lazy.map({ RecordedPath.normalized($0) })
        where !RecordedPath.isDerived(path) && !RecordedPath.isCheckedOut(path) {
            let bytes = path.utf8
            for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
                let rest = bytes[bytes.index(after: index)...]
                if owners.lists(String(Substring(rest))) {
                    found.insert(Name(String(Substring(bytes[...index]))))
                }
            }
        }
        return found.count == 1 ? found.first?.text : nil
    }
}
