/// The files that a change touches, from which follows which tests can tell.
public struct ChangedFiles: Sendable, Hashable {
    /// Relative to the top of the repository, as in git; a name that is no text is `nil`.
    public let paths: [String?]
    /// Where the package lies below that top; empty for the top.
    public let package: String

    /// Makes a change from its parts.
    public init(paths: [String?], package: String) {
        self.paths = paths
        self.package = package
    }

    /// Whether only people read what changed, so that no test can tell the difference.
    public var isForPeopleOnly: Bool { paths.allSatisfy { $0.map(Self.isForPeople) ?? false } }

    /// A text beside the sources: `README.md`, `LICENSE`, `.gitignore`.
    static func isForPeople(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".md") || name.hasPrefix("LICENSE") || name == ".gitignore"
    }
}

/// Which test targets have to run so that everything that a change can break is tested.
public enum AffectedTests: Sendable, Hashable {
    /// All of them, and why.
    case all(reason: String)
    /// Those named; never none, and not all.
    case some([String])

    /// Follows the dependencies of the package's targets from what changed.
    ///
    /// What is not sure to be the source of one target has an effect on all: the manifest, resolved versions, resources,
    /// headers, and files that belong to no target.
    public init(of change: ChangedFiles, in modules: [Module]) {
        var seeds: Set<String> = []
        for path in change.paths {
            switch Self.owner(of: path, in: change.package, modules) {
            case .nobody: continue
            case .target(let name): seeds.insert(name)
            case .everybody(let reason):
                self = .all(reason: reason)
                return
            }
        }
        let affected = Self.dependents(of: seeds, in: modules)
        let tests = modules.filter { $0.kind == .test }.map(\.name)
        let chosen = tests.filter(affected.contains)
        if chosen.isEmpty {
            self = .all(reason: "no test target depends on what changed")
        } else if chosen.count == tests.count {
            self = .all(reason: "every test target depends on what changed")
        } else {
            self = .some(chosen)
        }
    }

    private enum Owner {
        case nobody
        case target(String)
        case everybody(reason: String)
    }

    private static func owner(of path: String?, in package: String, _ modules: [Module]) -> Owner {
        guard let path else { return .everybody(reason: "the name of a file that changed is not valid UTF-8") }
        guard package.isEmpty || path.hasPrefix(package + "/") else {
            return ChangedFiles.isForPeople(path)
                ? .nobody : .everybody(reason: "\(path) lies outside of the package")
        }
        let name = package.isEmpty ? path : String(Substring(path.utf8.dropFirst(package.utf8.count + 1)))
        if let module = modules.first(where: { $0.sourcePaths.contains { $0.utf8.elementsEqual(name.utf8) } }) {
            // A macro or plugin is run while others are compiled, whatever the graph says.
            switch module.kind {
            case .library, .executable, .test, .snippet: return .target(module.name)
            case .macro, .plugin, .binary, .systemLibrary: return .everybody(reason: "\(path) is part of the build")
            }
        }
        if let module = modules.first(where: { !$0.path.isEmpty && name.hasPrefix($0.path + "/") }) {
            // A source that is gone is in no list any more.
            return name.hasSuffix(".swift") && module.isSwift && [.library, .executable, .test].contains(module.kind)
                ? .target(module.name) : .everybody(reason: "\(path) is no source of \(module.name)")
        }
        if ChangedFiles.isForPeople(name) { return .nobody }
        return .everybody(reason: "\(path) is part of no target")
    }

    /// The targets given and all that depend on them.
    private static func dependents(of seeds: Set<String>, in modules: [Module]) -> Set<String> {
        var reached = seeds
        while true {
            let next = modules.filter { !reached.contains($0.name) && !reached.isDisjoint(with: $0.dependencies) }
            if next.isEmpty { return reached }
            reached.formUnion(next.map(\.name))
        }
    }
}
