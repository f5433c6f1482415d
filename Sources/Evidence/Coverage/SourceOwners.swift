import RunModel

/// Which module of the root package a source file belongs to.
struct SourceOwners {
    private var exact: [Name: Module] = [:]
    private var folders: [(prefix: String, module: Module)] = []

    init(_ modules: [Module]) {
        for module in modules {
            for source in module.sourcePaths {
                let path = Name(RecordedPath.normalized(source))
                if exact[path] == nil { exact[path] = module }
            }
            let folder = RecordedPath.normalized(module.path)
            folders.append((folder.isEmpty ? "" : folder + "/", module))
        }
        folders.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    /// Whether a target lists exactly this source.
    func lists(_ path: String) -> Bool { exact[Name(path)] != nil }

    /// The module whose sources list the path; else the one with the longest folder around it, unless it is generated.
    func owner(of path: String) -> Module? {
        if let module = exact[Name(path)] { return module }
        guard !RecordedPath.isGenerated(path) else { return nil }
        return folders.first { path.utf8.starts(with: $0.prefix.utf8) }?.module
    }
}

/// What can be said of a path by its text alone.
enum RecordedPath {
    /// The path without empty and `.` components, and with `..` resolved as far as the text allows.
    static func normalized(_ path: String) -> String {
        var kept: [Substring] = []
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        for component in path.pathParts() where component != "." {
            if component == "..", let last = kept.last, last != ".." {
                kept.removeLast()
            } else if component != ".." || !isAbsolute {
                kept.append(component)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// Whether a file of this path is made by the build: of a hidden folder, or of one that SwiftPM derives.
    static func isGenerated(_ path: String) -> Bool {
        path.pathParts().dropLast().contains {
            $0.hasPrefix(".") || $0.hasSuffix(".derived") || $0 == "DerivedSources"
        }
    }

    /// Whether SwiftPM or a plugin made a file of this path, wherever the folder of the build lies.
    static func isDerived(_ path: String) -> Bool {
        let parts = path.pathParts().dropLast()
        return parts.contains { $0.hasSuffix(".derived") || $0 == "DerivedSources" }
            || zip(parts, parts.dropFirst()).contains { $0 == "plugins" && $1 == "outputs" }
    }

    /// Whether SwiftPM checked a file of this path out: the source of a dependency.
    static func isCheckedOut(_ path: String) -> Bool {
        let parts = path.pathParts().dropLast()
        return zip(parts, parts.dropFirst()).contains { $0.hasPrefix(".") && $1 == "checkouts" }
    }
}
