import RunModel

/// Cuts the package's folder from recorded paths.
struct PackagePaths {
    private let prefix: String

    init(root: String) { prefix = root.hasSuffix("/") || root.isEmpty ? root : root + "/" }

    /// Relative to the package if the path is inside of it, otherwise unchanged.
    func relative(_ path: String) -> String {
        guard !prefix.isEmpty, path.utf8.starts(with: prefix.utf8) else { return path }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether a path is inside of the package and not generated.
    func isOwnSource(_ path: String) -> Bool {
        let inside = relative(path)
        return !inside.hasPrefix("/") && !inside.hasPrefix(".build/")
    }

    func relative(_ location: SourceLocation?) -> SourceLocation? {
        location.map { SourceLocation(path: relative($0.path), line: $0.line, column: $0.column) }
    }

    func relative(_ issue: Issue) -> Issue {
        var issue = issue
        issue.location = relative(issue.location)
        return issue
    }
}
