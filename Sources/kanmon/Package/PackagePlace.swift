import Foundation

/// Where a package lies, as reports name its files.
struct PackagePlace: Sendable, Hashable {
    /// The package's folder as an absolute path.
    let root: String
    /// The same relative to the repository around it; empty where it is the repository, or where there is none.
    let prefix: String

    /// Looks for the repository on this machine, unless the prefix is given.
    init(root: String, prefix: String? = nil) {
        self.root = root
        self.prefix = prefix ?? Self.prefix(of: root)
    }

    private static func prefix(of root: String) -> String {
        var names: [Substring] = []
        var rest = root[...]
        while rest.hasPrefix("/") {
            // A folder in a clone, a file in a work tree.
            if FileManager.default.fileExists(atPath: rest + "/.git") { return names.reversed().joined(separator: "/") }
            guard let slash = rest.lastIndex(of: "/") else { break }
            names.append(rest[rest.index(after: slash)...])
            rest = rest[..<slash]
        }
        return ""
    }
}
