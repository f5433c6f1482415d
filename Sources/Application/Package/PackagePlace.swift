import Foundation

/// The folder of a package, for paths in reports.
package struct PackagePlace: Sendable, Hashable {
    /// The package's folder as an absolute path.
    package let root: String
    /// The same relative to the repository; empty at its top, or without a repository.
    package let prefix: String

    /// Uses the given prefix, else the path in a shadow work tree, else looks for the repository on this machine.
    package init(root: String, prefix: String? = nil) {
        self.root = root
        self.prefix = prefix ?? Self.pathInShadowTree(root) ?? Self.prefix(of: root)
    }

    /// The path of a folder in a shadow work tree (`kanmon/tree/NAME` in a git directory); `nil` for any other folder.
    private static func pathInShadowTree(_ root: String) -> String? {
        let names = root.split(separator: "/")
        // `.git` of a clone, or `NAME.git` of a repository without a work tree.
        guard let git = names.firstIndex(where: { $0.hasSuffix(".git") }),
            let tree = names[git...].firstRange(of: ["kanmon", "tree"]), tree.upperBound < names.endIndex
        else { return nil }
        return names[tree.upperBound...].dropFirst().joined(separator: "/")
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
