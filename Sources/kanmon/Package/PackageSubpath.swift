import Repository

/// Where a package lies below the top of its repository.
struct PackageSubpath: Sendable, Hashable {
    /// The package's folder relative to the top; empty for the top itself.
    let folder: String

    /// The place of a package whose folder is known; the top without one.
    init(_ folder: String = "") { self.folder = folder }

    /// Whether the package is all of the repository.
    var isTop: Bool { folder.isEmpty }

    /// A file of the package, relative to the top.
    func path(_ name: String) -> String { isTop ? name : "\(folder)/\(name)" }

    /// A file of the repository that lies in the package, relative to the package.
    func name(of path: String) -> String {
        // A folder's name takes as many bytes everywhere, but not as many characters as it has bytes.
        isTop ? path : String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
    }

    /// The package's folder where the repository is laid out in `top`.
    func folder(in top: String) -> String { isTop ? top : "\(top)/\(folder)" }

    /// Where the repository is laid out when the package's folder is `root`.
    func top(of root: String) -> String {
        isTop ? root : String(Substring(root.utf8.dropLast(folder.utf8.count + 1)))
    }
}

extension GitRepository {
    /// Where the package in a folder lies.
    func packageSubpath(of root: String) async throws -> PackageSubpath {
        PackageSubpath(try await subpath(of: root))
    }
}
