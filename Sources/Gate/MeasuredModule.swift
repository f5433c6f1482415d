import RunModel

/// One module of a run with the coverage that counts, after the excludes.
struct MeasuredModule {
    /// The target.
    let module: Module
    /// The files that count.
    let files: [FileCoverage]
    /// How many files the excludes took out.
    let excludedFiles: Int
    /// Why there is nothing to measure; `nil` when there is.
    let notMeasurable: String?

    /// Measures every module of the run that is not a test target, in the order of the package.
    ///
    /// A module that only the coverage names (another runner's reports bring no list of targets) comes after those.
    static func all(of run: TestRun, isExcluded: (String) -> Bool) -> [MeasuredModule] {
        let files = run.coverage?.files ?? []
        let byModule = Dictionary(grouping: files) { Name($0.module) }
        return (run.modules + run.modulesOnlyCovered).filter { $0.kind != .test }.map { module in
            let recorded = byModule[Name(module.name)] ?? []
            let counted = recorded.filter { !isExcluded($0.path) }
            return MeasuredModule(
                module: module, files: counted, excludedFiles: recorded.count - counted.count,
                notMeasurable: run.notMeasurable[module.name] ?? module.reasonNotMeasurable
                    ?? reason(recorded: recorded, counted: counted)
            )
        }
    }

    /// The covered and the total number, over the files that count.
    func tally(_ metric: CoverageMetric) -> CoverageTally {
        files.reduce(CoverageTally()) { $0 + $1.tally(metric) }
    }

    /// The row of the table under a verdict; without a policy the module is not judged.
    func status(under policy: AppliedPolicy?) -> ModuleCoverage {
        guard notMeasurable == nil else {
            return ModuleCoverage(module: module.name, notMeasurable: notMeasurable, excludedFiles: excludedFiles)
        }
        return ModuleCoverage(
            module: module.name, lines: tally(.line), regions: tally(.region), functions: tally(.function),
            floors: policy?.floors(for: module.name) ?? Floors(), excludedFiles: excludedFiles
        )
    }

    /// What the files miss of `metric`, the worst first.
    func missedFiles(_ metric: CoverageMetric) -> [MissedFile] {
        files.filter { $0.tally(metric).missed > 0 }
            .map { MissedFile(path: $0.path, missed: $0.tally(metric).missed, ranges: $0.missedRanges) }.worstFirst
    }

    private static func reason(recorded: [FileCoverage], counted: [FileCoverage]) -> String? {
        guard !recorded.isEmpty else { return nil }
        guard !counted.isEmpty else { return "every file is excluded" }
        return counted.allSatisfy(\.lines.isEmpty) ? "no executable line" : nil
    }
}

extension TestRun {
    /// Modules that have coverage without being a target of the package, each once, in the order of the files.
    fileprivate var modulesOnlyCovered: [Module] {
        var known = Set(self.modules.map { Name($0.name) })
        return (coverage?.files ?? []).compactMap { file in
            guard known.insert(Name(file.module)).inserted else { return nil }
            return Module(
                name: file.module, compilerName: file.module, kind: .library, isSwift: true, path: "", sources: [],
                dependencies: []
            )
        }
    }
}
