/// Paths relative to the repository.
enum RepositoryPath {
    /// A path in the package, relative to the repository; an absolute path is unchanged.
    ///
    /// - Parameter prefix: The package's folder in the repository; empty for its root.
    static func of(_ path: String, in prefix: String) -> String {
        prefix.isEmpty || path.utf8.first == UInt8(ascii: "/") ? path : "\(prefix)/\(path)"
    }
}
