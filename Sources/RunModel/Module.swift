/// A target of the root package, as `swift package describe --type json` lists it.
public struct Module: Sendable, Hashable, Codable {
    /// What kind of target it is.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case library, executable, test, macro, plugin, snippet, binary
        case systemLibrary = "system-target"
    }

    /// The target's name in the manifest.
    public let name: String
    /// The name the compiler uses (`c99name`).
    public let compilerName: String
    /// What kind of target it is.
    public let kind: Kind
    /// Whether it is a Swift target; C-family and system targets are not.
    public let isSwift: Bool
    /// Its folder, relative to the package.
    public let path: String
    /// Its source files, relative to `path`.
    public let sources: [String]
    /// The names of the targets of the same package that it depends on.
    public let dependencies: [String]

    /// Makes a module from its parts.
    public init(
        name: String,
        compilerName: String,
        kind: Kind,
        isSwift: Bool,
        path: String,
        sources: [String],
        dependencies: [String]
    ) {
        self.name = name
        self.compilerName = compilerName
        self.kind = kind
        self.isSwift = isSwift
        self.path = path
        self.sources = sources
        self.dependencies = dependencies
    }

    /// The source files, relative to the package.
    public var sourcePaths: [String] { sources.map { path.isEmpty || path == "." ? $0 : "\(path)/\($0)" } }
}
