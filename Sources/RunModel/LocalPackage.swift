/// A package that the tested package depends on by path (`.package(path:)`): its code is built, but not measured.
public struct LocalPackage: Sendable, Hashable, Codable {
    /// Its folder, relative to the package; begins with `..` for one outside of it.
    public var path: String
    /// The names of its targets with code, without test targets, sorted by bytes; `nil` if SwiftPM did not list them.
    public var modules: [String]?

    package init(path: String, modules: [String]?) { (self.path, self.modules) = (path, modules) }

    /// The path of a folder relative to another; both are absolute and without links.
    public static func relativePath(of folder: String, to root: String) -> String {
        let (parts, base) = (folder.split(separator: "/"), root.split(separator: "/"))
        let common = zip(parts, base).prefix { Name($0) == Name($1) }.count
        let up = Array(repeating: Substring(".."), count: base.count - common)
        let path = (up + parts.dropFirst(common)).joined(separator: "/")
        return path.isEmpty ? "." : path
    }
}
