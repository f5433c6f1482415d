/// Paths relative to the repository.
enum RepositoryPath {
    /// A path of the package, relative to the repository around it.
    static func of(_ path: String, in prefix: String) -> String {
        prefix.isEmpty || path.utf8.first == UInt8(ascii: "/") ? path : "\(prefix)/\(path)"
    }
}
