import Gate
package import Repository

/// The path of a package below the top of its repository.
package struct PackageSubpath: Sendable, Hashable {
    /// The package's folder relative to the top; empty for the top itself.
    package let folder: String

    /// Makes a path from a folder; the top by default.
    package init(_ folder: String = "") { self.folder = folder }

    /// Makes the path of the package that a file lies directly in, relative to the top.
    init(file: String) {
        self.init(file.split(separator: "/").dropLast().joined(separator: "/"))
    }

    /// Whether the package is all of the repository.
    package var isTop: Bool { folder.isEmpty }

    /// A file of the package, relative to the top.
    package func path(_ name: String) -> String { isTop ? name : "\(folder)/\(name)" }

    /// A path of the repository, relative to the package.
    func name(of path: String) -> String {
        // Counted in bytes, because a folder's name may have fewer characters.
        isTop ? path : String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
    }

    /// The package's folder if the repository is in `top`.
    package func folder(in top: String) -> String { isTop ? top : "\(top)/\(folder)" }

    /// Why a tree cannot be judged that has no package there.
    func missing(in tree: ObjectID) -> Problem {
        Problem(
            .usage, "the tree \(tree.hexadecimal.prefix(12)) has no \(path("Package.swift"))",
            hint: "name the package's folder with --package-path, or a commit that has it")
    }

    /// The top of the repository if the package's folder is `root`.
    func top(of root: String) -> String {
        isTop ? root : String(Substring(root.utf8.dropLast(folder.utf8.count + 1)))
    }
}

extension GitRepository {
    /// The subpath of the package in a folder.
    package func packageSubpath(of root: String) async throws -> PackageSubpath {
        PackageSubpath(try await subpath(of: root))
    }
}
