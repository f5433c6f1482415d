package import Evidence
package import RunModel

/// Finds the sources of a package that the reports of other tools mean: below the folder of another machine, relative to the
/// repository or to a source folder, or in another normalization form.
package struct ForeignPlacing {
    private let owners: SourceOwners
    private let root: [Substring]
    private let maps: [PathMap]
    /// The listed sources whose names are not plain ASCII. To a `String` as a key, NFC and NFD are one; `nil` where both are listed.
    private let spellings: [String: String?]
    /// The only folder that has files at the paths of listed sources, where none lies in the package's own.
    private var folder: [Substring]?

    package init(_ files: [ForeignCoverage.File], modules: [Module], packageRoot: String, maps: [PathMap]) {
        owners = SourceOwners(modules)
        root = RecordedPath.normalized(packageRoot).pathParts(omittingEmpty: false)
        self.maps = maps
        var spellings: [String: String?] = [:]
        for path in modules.flatMap(\.sourcePaths).map({ RecordedPath.normalized($0) }) where !Self.isPlain(path) {
            spellings[path] = .some(spellings[path] == nil ? path : nil)
        }
        self.spellings = spellings
        let candidates = files.flatMap { self.candidates(of: $0) }
        if !candidates.contains(where: { Self.inside($0, root).flatMap { listed($0) } != nil }) {
            folder = otherFolder(candidates)
        }
    }

    /// The listed source that a file is, relative to the package; else its path, relative to where the sources are if it is there.
    package func path(of file: ForeignCoverage.File) -> String {
        let candidates = candidates(of: file)
        let folders = [root] + (folder.map { [$0] } ?? [])
        for candidate in candidates {
            for folder in folders {
                if let path = Self.inside(candidate, folder).flatMap({ listed($0) }) { return path }
            }
        }
        // A relative path is inside of any absolute folder.
        return folders.reversed().lazy.compactMap { Self.inside(candidates[0], $0) }.first ?? candidates[0]
    }

    /// The paths that a file may have, the likeliest first; never empty.
    private func candidates(of file: ForeignCoverage.File) -> [String] {
        ([file.path] + file.alternatives).map { RecordedPath.normalized(maps.path(of: RecordedPath.portable($0))) }
    }

    /// The spelling of a listed source; `nil` for any other path.
    private func listed(_ path: String) -> String? {
        if owners.lists(path) { return path }
        return Self.isPlain(path) ? nil : spellings[path] ?? nil
    }

    private static func isPlain(_ path: String) -> Bool { path.utf8.allSatisfy { $0 < 0x80 } }

    /// The path relative to a folder: a relative one as it is where the folder is absolute; `nil` outside of the folder.
    private static func inside(_ path: String, _ folder: [Substring]) -> String? {
        let parts = path.pathParts(omittingEmpty: false)
        if parts.first?.isEmpty == false, folder.first?.isEmpty != false { return path }
        guard parts.count > folder.count, zip(parts, folder).allSatisfy({ Name($0) == Name($1) }) else { return nil }
        return parts.dropFirst(folder.count).joined(separator: "/")
    }

    /// The only folder, except those of dependencies, that has files at the paths of the targets' sources.
    private func otherFolder(_ paths: [String]) -> [Substring]? {
        var found: [Name: [Substring]] = [:]
        for path in paths where !RecordedPath.isDerived(path) && !RecordedPath.isCheckedOut(path) {
            let parts = path.pathParts(omittingEmpty: false)
            for count in 1..<max(2, parts.count) where listed(parts.dropFirst(count).joined(separator: "/")) != nil {
                found[Name(parts.prefix(count).joined(separator: "/"))] = Array(parts.prefix(count))
            }
        }
        return found.count == 1 ? found.values.first : nil
    }
}

extension TestRun {
    /// Says of which modules the reports name only some sources: the others count for nothing, as those without an executable line do.
    package mutating func nameUnreported() {
        let named = Set((coverage?.files ?? []).map { Name($0.path) })
        for module in self.modules where module.kind != .test && notMeasurable[module.name] == nil {
            let missing = module.sourcePaths.filter { !named.contains(Name($0)) }
            guard let first = missing.first, missing.count < module.sourcePaths.count else { continue }
            let count = "\(missing.count) of \(module.sourcePaths.count) sources"
            let detail = "in no report, so that their lines do not count: \(count), the first is \(first)"
            notes.append(Note(.coverageMissing, subject: module.name, detail: detail))
        }
    }

    /// Says which files of coverage reports are of no target: what nobody can place may be the missing part of one.
    package mutating func namePlaceless() {
        let placeless = (coverage?.unattributed ?? []).filter { file in
            file.kind == .unknown || file.kind == .dependency && !RecordedPath.isCheckedOut(file.path)
        }
        guard let first = placeless.first, !self.modules.isEmpty else { return }
        let known = Set((coverage?.files ?? []).map { Name($0.path) })
        let unsuitable = CoverageAttribution.unsuitable(self.modules)
        var missing: [Name: (module: String, path: String)] = [:]
        for module in self.modules where module.kind != .test && unsuitable[module.name] == nil {
            for path in module.sourcePaths where !known.contains(Name(path)) {
                missing[Self.tail(path)] = (module.name, path)
            }
        }
        let found = placeless.lazy.compactMap { file in missing[Self.tail(file.path)].map { (file.path, $0) } }.first
        if let (path, source) = found {
            let detail =
                "\(path) may be its source \(source.path), which no report names: say where it lies with --path-map"
            gaps.append(Gap(.coverageMissing, subject: source.module, detail: detail))
        } else {
            let detail =
                placeless.count == 1
                ? "a file of the reports belongs to no target: \(first.path)"
                : "\(placeless.count) files of the reports belong to no target, the first is \(first.path)"
            notes.append(Note(.coverageMissing, detail: detail))
        }
    }

    /// The folder and the name of a file.
    private static func tail(_ path: String) -> Name { Name(path.pathParts().suffix(2).joined(separator: "/")) }
}
