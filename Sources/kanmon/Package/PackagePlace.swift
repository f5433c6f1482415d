import Foundation

/// Where a package lies, as reports name its files.
struct PackagePlace: Sendable, Hashable {
    /// The package's folder as an absolute path.
    let root: String
    /// The same relative to the repository around it; empty where it is the repository, or where there is none.
    let prefix: String

    /// Takes the prefix that is given, else the place in a shadow work tree, else looks for the repository on this machine.
    init(root: String, prefix: String? = nil) {
        self.root = root
        self.prefix = prefix ?? Self.pathInShadowTree(root) ?? Self.prefix(of: root)
    }

    /// Where a folder lies in the shadow work tree of a repository, `kanmon/tree` in its git directory; `nil` for any other.
    private static func pathInShadowTree(_ root: String) -> String? {
        let names = root.split(separator: "/")
        // `.git` of a clone, or `NAME.git` of a repository without a work tree.
        guard let git = names.firstIndex(where: { $0.hasSuffix(".git") }),
            let tree = names[git...].firstRange(of: ["kanmon", "tree"])
        else { return nil }
        return names[tree.upperBound...].joined(separator: "/")
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
