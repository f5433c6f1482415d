public import RunModel

/// The files of an export, given to the modules of the root package that own them.
///
/// Tests, plugins, generated files and dependencies are listed and never counted; what fits no target is not guessed.
public struct CoverageAttribution: Sendable, Hashable {
    /// Files of the package's measurable modules, and what was left out.
    public let coverage: Coverage
    /// Why a module is not measured, by manifest name.
    public let notMeasurable: [String: String]
    /// Modules whose coverage is missing.
    public let gaps: [Gap]

    /// Attributes the files of `export` by the targets that `manifest` lists.
    public init(export: CoverageExport, manifest: RunManifest) {
        let unsuitable = Self.unsuitable(manifest.modules)
        let owners = SourceOwners(manifest.modules)
        let root = RecordedRoot(of: export.files.map(\.path), manifest: manifest, owners: owners)
        var hashes: [ExactText: String] = [:]
        for source in manifest.sources { hashes[ExactText(source.path)] = source.sha256 }

        var files: [FileCoverage] = []
        var unattributed: [String] = []
        for file in export.files {
            let path = root.relative(file.path)
            guard let path, let owner = owners.owner(of: path), owner.kind != .test, unsuitable[owner.name] == nil
            else {
                unattributed.append(path ?? file.path)
                continue
            }
            files.append(
                FileCoverage(
                    path: path, module: owner.name, sourceHash: hashes[ExactText(path)], lines: file.lines,
                    regions: file.regions, functions: file.functions
                )
            )
        }
        files.sort { ExactText($0.path) < ExactText($1.path) }
        unattributed.sort { ExactText($0) < ExactText($1) }
        coverage = Coverage(files: files, unattributed: unattributed)

        let named = Set(files.map { ExactText($0.path) })
        let instrumented = (manifest.instrumentedSources ?? []).map { ExactText($0) }
        let lost = Set(instrumented).subtracting(named)
        let measured = Set(files.lazy.filter { !$0.lines.isEmpty }.map { ExactText($0.module) })
        let withoutObjects = Set(manifest.modulesWithoutObjects.map { ExactText($0) })
        var notMeasurable = unsuitable
        var gaps: [Gap] = []
        for module in manifest.modules where module.kind != .test && unsuitable[module.name] == nil {
            let name = ExactText(module.name)
            if withoutObjects.contains(name) {
                let detail = "no object file of the module was found, so its coverage is not known"
                gaps.append(Gap(.coverageMissing, subject: module.name, detail: detail))
            } else if let gap = Self.gap(of: module, lost: lost) {
                gaps.append(gap)
            } else if !measured.contains(name) {
                notMeasurable[module.name] = "no executable line"
            }
        }
        if !root.isCertain, !export.files.isEmpty, manifest.modules.contains(where: { $0.isSwift }) {
            let detail = "none of the \(export.files.count) files in the coverage export is a source of this package"
            gaps.append(Gap(.coverageMissing, detail: detail))
        }
        self.notMeasurable = notMeasurable
        self.gaps = gaps
    }

    /// A gap for sources that were compiled with coverage and that the export does not name. Their paths may have been
    /// rewritten by a compiler flag such as `-coverage-prefix-map`; that they have no executable line is not to be said.
    private static func gap(of module: Module, lost: Set<ExactText>) -> Gap? {
        let paths = module.sourcePaths.filter { lost.contains(ExactText($0)) }
        guard let first = paths.first else { return nil }
        return Gap(
            .coverageMissing, subject: module.name,
            detail: "\(paths.count) of its \(module.sourcePaths.count) sources were compiled with coverage, but "
                + "the export does not name them, the first is \(first)")
    }

    /// The modules that no export can measure because of what they are, with the reason, by manifest name.
    ///
    /// Test targets are not among them: they are never measured, and nobody expects them to be.
    public static func unsuitable(_ modules: [Module]) -> [String: String] {
        let tested = Set(modules.filter { $0.kind == .test }.flatMap(\.dependencies).map { ExactText($0) })
        var reasons: [String: String] = [:]
        for module in modules {
            switch module.kind {
            case .systemLibrary: reasons[module.name] = "a system library"
            case .binary: reasons[module.name] = "a binary target"
            case .plugin: reasons[module.name] = "a plugin"
            case .snippet: reasons[module.name] = "a snippet"
            case .test: break
            case .macro where !tested.contains(ExactText(module.name)):
                reasons[module.name] = "a macro that no test target depends on"
            case .macro, .library, .executable:
                if !module.isSwift { reasons[module.name] = "a C-family target" }
            }
        }
        return reasons
    }
}
