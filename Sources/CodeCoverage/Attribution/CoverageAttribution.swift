import Evidence
import RunModel

/// Assigns the files of an export to the modules of the root package.
///
/// Tests, plugins, generated files and dependencies are listed and never counted; files of no target are not guessed.
struct CoverageAttribution: Sendable, Hashable {
    /// Files of the package's measurable modules, and the other files.
    let coverage: Coverage
    /// Why a module is not measured, by manifest name.
    let notMeasurable: [String: String]
    /// Modules whose coverage is missing.
    let gaps: [Gap]

    /// Attributes the files of `export` by the targets that `manifest` lists.
    ///
    /// - Parameter names: The readable names of functions.
    init(export: CoverageExport, manifest: RunManifest, names: FunctionNames = FunctionNames()) {
        let owners = SourceOwners(manifest.modules)
        let root = RecordedRoot(of: export.files.map(\.path), manifest: manifest, owners: owners)
        let executed = export.files.filter { $0.lines.contains { $0.count.isCovered } }.compactMap { file in
            root.relative(file.path).flatMap { owners.owner(of: $0) }.map { Name($0.name) }
        }
        let unsuitable = Self.unsuitable(manifest.modules, executed: Set(executed))
        var hashes: [Name: String] = [:]
        for source in manifest.sources { hashes[Name(source.path)] = source.sha256 }

        let functions = Dictionary(grouping: export.functions) { Name($0.path) }
        var files: [FileCoverage] = []
        var unattributed: [UnattributedFile] = []
        for file in export.files {
            let path = root.relative(file.path)
            // Where none is a source of the package, a folder of the same name is not that of a target.
            let owner = root.isCertain ? path.flatMap { owners.owner(of: $0) } : nil
            guard let path, let owner, owner.kind != .test, unsuitable[owner.name] == nil else {
                unattributed.append(
                    UnattributedFile(
                        path: path ?? file.path, kind: UnattributedFile.Kind(path, recorded: file.path, owner: owner),
                        lines: CoverageTally(
                            covered: file.lines.count { $0.count.isCovered }, total: file.lines.count)))
                continue
            }
            let groups = export.functions.isEmpty ? nil : FunctionGroup.groups(of: functions[Name(file.path)] ?? [])
            files.append(
                FileCoverage(
                    path: path, module: owner.name, sourceHash: hashes[Name(path)], lines: file.lines,
                    regions: file.regions, functions: file.functions,
                    unexecuted: UnexecutedCode(
                        parts: file.parts, functions: groups?.filter { !$0.isCalled }.map { $0.function(names) }),
                    calledFunctions: groups?.filter(\.isCalled).map { $0.function(names) }
                )
            )
        }
        files.sort { Name($0.path) < Name($1.path) }
        unattributed.sort { Name($0.path) < Name($1.path) }
        coverage = Coverage(files: files, unattributed: unattributed)

        let named = Set(files.map { Name($0.path) })
        let instrumented = (manifest.instrumentedSources ?? []).map { Name($0) }
        let lost = Set(instrumented).subtracting(named)
        let measured = Set(files.lazy.filter { !$0.lines.isEmpty }.map { Name($0.module) })
        let present = Set(files.lazy.map { Name($0.module) })
        let withoutObjects = Set(manifest.modulesWithoutObjects.map { Name($0) })
        var notMeasurable = unsuitable
        var gaps: [Gap] = []
        for module in manifest.modules where module.kind != .test && unsuitable[module.name] == nil {
            let name = Name(module.name)
            if withoutObjects.contains(name) {
                let detail = "object files of the module are not there as they were built, so its coverage is not known"
                gaps.append(Gap(.coverageMissing, subject: module.name, detail: detail))
            } else if let gap = Self.gap(of: module, lost: lost) {
                gaps.append(gap)
            } else if manifest.engine == .foreign, !present.contains(name) {
                // Another tool may have left it out, or no test links it: the gate asks for it.
                continue
            } else if !measured.contains(name) {
                notMeasurable[module.name] = "no executable line"
            }
        }
        // What the build generated is never a source of the package, and may be all that has an executable line.
        let isForeign = export.files.contains { !RecordedPath.isDerived($0.path) }
        if !root.isCertain, isForeign, manifest.modules.contains(where: { $0.isSwift }) {
            let detail = "none of the \(export.files.count) files in the coverage export is a source of this package"
            gaps.append(Gap(.coverageMissing, detail: detail))
        }
        self.notMeasurable = notMeasurable
        self.gaps = gaps
    }

    /// A gap for sources that were compiled with coverage and that the export does not name. Their paths may have been
    /// rewritten by a compiler flag such as `-coverage-prefix-map`; that they have no executable line is not to be said.
    private static func gap(of module: Module, lost: Set<Name>) -> Gap? {
        let paths = module.sourcePaths.filter { lost.contains(Name($0)) }
        guard let first = paths.first else { return nil }
        return Gap(
            .coverageMissing, subject: module.name,
            detail: "\(paths.count) of its \(module.sourcePaths.count) sources were compiled with coverage, but "
                + "the export does not name them, the first is \(first)")
    }

    /// The modules of kinds that cannot be measured, with the reason, by manifest name.
    ///
    /// Test targets are not included, because they are never measured.
    ///
    /// - Parameter executed: The modules of which anything was executed: such a one is not only a tool of the build.
    static func unsuitable(_ modules: [Module], executed: Set<Name> = []) -> [String: String] {
        let tested = Set(modules.filter { $0.kind == .test }.flatMap(\.dependencies).map { Name($0) })
        let tools = Set(modules.filter { $0.kind == .plugin }.flatMap(\.dependencies).map { Name($0) })
        var reasons: [String: String] = [:]
        for module in modules {
            switch module.kind {
            case .systemLibrary: reasons[module.name] = "a system library"
            case .binary: reasons[module.name] = "a binary target"
            case .plugin: reasons[module.name] = "a plugin"
            case .snippet: reasons[module.name] = "a snippet"
            case .test: break
            case .macro where !tested.contains(Name(module.name)):
                reasons[module.name] = "a macro that no test target depends on"
            case .executable
            where tools.contains(Name(module.name)) && tested.union(executed).contains(Name(module.name)) == false:
                reasons[module.name] = "an executable that only plugins use"
            case .macro, .library, .executable:
                if !module.isSwift { reasons[module.name] = "a C-family target" }
            }
        }
        return reasons
    }
}

extension UnattributedFile.Kind {
    /// The kind of a file by its path in the package (`nil` outside of it) and its target.
    fileprivate init(_ path: String?, recorded: String, owner: Module?) {
        self =
            if let owner {
                owner.kind == .test ? .test : .notMeasured
            } else if RecordedPath.isDerived(recorded) {
                .generated
            } else if path == nil || RecordedPath.isCheckedOut(recorded) {
                .dependency
            } else {
                RecordedPath.isGenerated(path ?? "") ? .generated : .unknown
            }
    }
}
