/// The files that a change touches; they decide which tests it can break.
public struct ChangedFiles: Sendable, Hashable {
    /// Relative to the top of the repository, as in git; `nil` for a name that is not valid text.
    public let paths: [String?]
    /// The package's folder below that top; empty for the top.
    public let package: String

    package init(paths: [String?], package: String) { (self.paths, self.package) = (paths, package) }

    /// A path of the repository relative to the package; `nil` outside of it.
    public func inPackage(_ path: String) -> String? {
        if package.isEmpty { return path }
        guard path.utf8.starts(with: (package + "/").utf8) else { return nil }
        return String(Substring(path.utf8.dropFirst(package.utf8.count + 1)))
    }

    /// Whether only documentation changed, so that no test can break. A text of a target outside of the folders where SwiftPM looks for
    /// targets is taken for documentation.
    public var isForPeopleOnly: Bool { paths.allSatisfy { $0.map(Self.isForPeople) ?? false } }

    /// Where SwiftPM looks for targets whose manifest gives no path.
    private static let sourceFolders: Set<Substring> = [
        "Sources", "Source", "src", "srcs", "Tests", "Plugins", "Snippets",
    ]

    /// Whether a path is a text outside of the source folders: `README.md`, `LICENSE`, `.gitignore`. A text in them may be read by a test.
    static func isForPeople(_ path: String) -> Bool {
        let steps = path.split(separator: "/")
        let name = steps.last ?? ""
        guard !steps.dropLast().contains(where: sourceFolders.contains) else { return false }
        return name.hasSuffix(".md") || name.hasPrefix("LICENSE") || name == ".gitignore"
    }
}

/// The test targets that a change can break.
public enum AffectedTests: Sendable, Hashable {
    /// All test targets, and why.
    case all(reason: String)
    /// These test targets; neither none nor all.
    case some([String])

    /// Follows the dependencies of the package's targets from the changed files.
    ///
    /// A file that is not certainly the source of one target can break all: the manifest, resolved versions,
    /// resources, headers, and files that belong to no target. A source of C can be included by any target of C.
    ///
    /// - Parameter undeclared: What targets depend on besides what the manifest says, by their names.
    public init(of change: ChangedFiles, in modules: [Module], undeclared: [String: Set<String>]) {
        var seeds: Set<String> = []
        for path in change.paths {
            switch Self.owner(of: path, in: change.package, modules) {
            case .nobody: continue
            case .targets(let names): seeds.formUnion(names)
            case .everybody(let reason):
                self = .all(reason: reason)
                return
            }
        }
        let affected = Self.dependents(of: seeds, in: modules, undeclared: undeclared)
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

    /// The targets that a changed file is, was or will be compiled in; none where that is not certain.
    static func targets(of path: String?, in package: String, _ modules: [Module]) -> [String] {
        guard case .targets(let names) = owner(of: path, in: package, modules) else { return [] }
        return names
    }

    private enum Owner {
        case nobody
        case targets([String])
        case everybody(reason: String)
    }

    private static func owner(of path: String?, in package: String, _ modules: [Module]) -> Owner {
        guard let path else { return .everybody(reason: "the name of a file that changed is not valid UTF-8") }
        guard package.isEmpty || path.hasPrefix(package + "/") else {
            return ChangedFiles.isForPeople(path)
                ? .nobody : .everybody(reason: "\(path) is outside of the package")
        }
        let name = package.isEmpty ? path : String(Substring(path.utf8.dropFirst(package.utf8.count + 1)))
        if let module = modules.first(where: { $0.sourcePaths.contains { Name($0) == Name(name) } }) {
            // A macro or plugin runs while other targets are compiled, whatever the graph says.
            switch module.kind {
            case .library, .executable, .test, .snippet:
                // Only the compiler knows where it looks for headers.
                return .targets(
                    module.isSwift
                        ? [module.name] : modules.filter { !$0.isSwift || $0.name == module.name }.map(\.name))
            case .macro, .plugin, .binary, .systemLibrary: return .everybody(reason: "\(path) is part of the build")
            }
        }
        // The innermost target: one may lie in the folder of another that excludes it.
        let around = modules.filter { !$0.path.isEmpty && name.hasPrefix($0.path + "/") }
        if let module = around.max(by: { $0.path.utf8.count < $1.path.utf8.count }) {
            // A deleted source is not in the list any more.
            return name.hasSuffix(".swift") && module.isSwift && [.library, .executable, .test].contains(module.kind)
                ? .targets([module.name]) : .everybody(reason: "\(path) is no source of \(module.name)")
        }
        if ChangedFiles.isForPeople(name) { return .nobody }
        return .everybody(reason: "\(path) is part of no target")
    }

    /// The given targets and all that depend on them.
    static func dependents(
        of seeds: Set<String>, in modules: [Module], undeclared: [String: Set<String>]
    ) -> Set<String> {
        var reached = seeds
        while true {
            let next = modules.filter { module in
                !reached.contains(module.name)
                    && (!reached.isDisjoint(with: module.dependencies)
                        || !reached.isDisjoint(with: undeclared[module.name] ?? []))
            }
            if next.isEmpty { return reached }
            reached.formUnion(next.map(\.name))
        }
    }
}
