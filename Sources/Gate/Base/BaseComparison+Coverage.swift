import RunModel

extension BaseComparison {
    /// The floors of every module of the run, and those of modules to come.
    mutating func compareFloors(_ bar: Bar) {
        let modules = run.modules.filter { $0.kind != .test && $0.reasonNotMeasurable == nil }.map(\.name)
        var ofDefault: [(module: String, metric: CoverageMetric, floor: Percentage)] = []
        for module in modules {
            let old = renamed(module) ?? module
            for metric in CoverageMetric.allCases {
                guard let floor = demanded(of: old, metric, by: bar), floor.thousandths > 0 else { continue }
                let now = policy.floors(for: module)[metric]
                guard floor > now ?? .zero else { continue }
                let hadOwn = bar.policy.ownFloors(for: old)?[metric] != nil
                let hasOwn = policy.ownFloors(for: module)?[metric] != nil
                if !hadOwn, !hasOwn {
                    ofDefault.append((module, metric, floor))
                    continue
                }
                let code: GateChangeCode =
                    Name(old) == Name(module)
                    ? hadOwn && !hasOwn ? .floorRemoved : .floorLowered : .moduleRenamed
                note(
                    GateChange(
                        code, subject: module, metric: metric, before: Self.words(floor), after: Self.words(now),
                        items: code == .moduleRenamed ? [old] : [], basePlace: bar.place(ofFloorsFor: old),
                        place: baseline.head.place(ofFloorsFor: module)))
                note(floor, on: metric, of: module, by: changes.count - 1)
            }
        }
        for metric in CoverageMetric.allCases {
            guard let floor = bar.policy.defaultFloors[metric], floor > policy.defaultFloors[metric] ?? .zero else {
                continue
            }
            let concerned = ofDefault.filter { $0.metric == metric }
            note(
                GateChange(
                    .defaultFloorLowered, subject: "default", metric: metric, before: Self.words(floor),
                    after: Self.words(policy.defaultFloors[metric]), items: concerned.map(\.module),
                    basePlace: bar.place(of: "coverage.modules.default"),
                    place: baseline.head.place(of: "coverage.modules.default")))
            for entry in concerned { note(entry.floor, on: metric, of: entry.module, by: changes.count - 1) }
        }
    }

    /// What the base demands of a module.
    ///
    /// A base without settings has nobody's floors. The first ones may start where the base stands, where that is below the
    /// default: at what its run covers in whole percents, or this run where that of the base is not known.
    private func demanded(of module: String, _ metric: CoverageMetric, by bar: Bar) -> Percentage? {
        guard let floor = bar.policy.floors(for: module)[metric], bar.file == nil else {
            return bar.policy.floors(for: module)[metric]
        }
        // What covers nothing that is known is judged by other rules than floors.
        guard baseline.run != nil || run.coverage != nil else { return nil }
        let tally =
            if let base = baseline.run {
                base.modules.first { Name($0.module) == Name(module) && $0.notMeasurable == nil }?.tally(
                    metric)
            } else {
                run.coverage?.files.filter { Name($0.module) == Name(module) }
                    .reduce(CoverageTally()) { $0 + $1.tally(metric) }
            }
        guard let tally, tally.total > 0 else { return floor }
        return min(floor, tally.wholePercent)
    }

    /// Patterns that take out files which counted at the base.
    mutating func compareExcludes(_ bar: Bar) {
        let paths = run.modules.flatMap(\.sourcePaths) + (run.coverage?.files.map(\.path) ?? [])
        let old = bar.policy.excludes
        let dropped = old.filter { exclude in
            !policy.excludes.contains { Name($0.pattern) == Name(exclude.pattern) }
        }
        for (index, exclude) in policy.excludes.enumerated()
        where !old.contains(where: { Name($0.pattern) == Name(exclude.pattern) }) {
            let glob = Glob(exclude.pattern)
            var seen: Set<Name> = []
            let taken = paths.filter { path in
                glob.matches(path) && !old.contains { Glob($0.pattern).matches(path) }
                    && seen.insert(Name(path)).inserted
            }
            guard !taken.isEmpty else { continue }
            let widened = dropped.filter { old in
                let covered = paths.filter(Glob(old.pattern).matches)
                return !covered.isEmpty && covered.allSatisfy(glob.matches)
            }
            note(
                GateChange(
                    widened.isEmpty ? .excludeAdded : .excludeWidened, subject: exclude.pattern,
                    before: widened.isEmpty ? "none" : widened.map(\.pattern).joined(separator: ", "),
                    after: exclude.pattern,
                    items: taken.sorted { Name($0) < Name($1) },
                    basePlace: widened.first.flatMap { bar.place(of: "coverage.exclude.\($0.pattern)") },
                    place: baseline.head.place(of: "coverage.exclude.\(policy.excludes[index].pattern)")))
        }
    }

    /// The name at the base of a module of the run that has another one now.
    func renamed(_ module: String) -> String? {
        guard let before = baseShape, !before.targets.contains(where: { Name($0.name) == Name(module) })
        else { return nil }
        let after = PackageShape(run.modules)
        return before.targets.first { target in
            !target.isTest && after.twin(of: target) == nil
                && after.successor(of: target, newSince: before).map { Name($0.name) } == Name(module)
        }?.name
    }

    /// The targets at the base: as its manifest declares them, else as its stored run knew them.
    var baseShape: PackageShape? { baseline.basePackage ?? baseline.run.map { PackageShape($0.targets) } }

    private static func words(_ floor: Percentage?) -> String {
        floor.map { $0.thousandths > 0 ? "\($0) %" : "none" } ?? "none"
    }
}
