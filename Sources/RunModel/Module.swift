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

    package init(
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

extension [Module] {
    /// Whether a target is an executable that no test target depends on, not even through other targets.
    public func isUntestedExecutable(_ module: Module) -> Bool {
        guard module.kind == .executable else { return false }
        var reached: Set<Name> = []
        var new = filter { $0.kind == .test }
        while !new.isEmpty {
            let names = Set(new.flatMap(\.dependencies).map { Name($0) }).subtracting(reached)
            reached.formUnion(names)
            new = filter { names.contains(Name($0.name)) }
        }
        return !reached.contains(Name(module.name))
    }

    /// The targets with helpers of a test target, also those that only other helpers use.
    ///
    /// That no other target than those of tests depends on it does not tell a helper from what is tested: it has to lie in `Tests`, or to
    /// have "Test" in its name, too.
    public func testHelpers(of test: Module) -> [Module] {
        var helpers = filter(\.mayHelpTests)
        var count = 0
        repeat {
            count = helpers.count
            let names = Set(helpers.map { Name($0.name) })
            let others = filter { $0.kind != .test && !names.contains(Name($0.name)) }
            let used = Set(others.flatMap(\.dependencies).map { Name($0) })
            helpers.removeAll { used.contains(Name($0.name)) }
        } while helpers.count < count
        var reached: Set<Name> = []
        var new = Set(test.dependencies.map { Name($0) })
        while !new.isEmpty {
            reached.formUnion(new)
            let found = helpers.filter { new.contains(Name($0.name)) }
            new = Set(found.flatMap(\.dependencies).map { Name($0) }).subtracting(reached)
        }
        return helpers.filter { reached.contains(Name($0.name)) }
    }
}

extension Module {
    fileprivate var mayHelpTests: Bool {
        kind == .library && isSwift && (path.utf8.starts(with: "Tests/".utf8) || name.contains("Test"))
    }
}
