public import RunModel

/// The floors of one module; a metric without a floor is not judged.
public struct Floors: Sendable, Hashable, Codable {
    /// The floor on distinct lines.
    public var line: Percentage?
    /// The floor on regions.
    public var region: Percentage?
    /// The floor on functions.
    public var function: Percentage?

    package init(line: Percentage? = nil, region: Percentage? = nil, function: Percentage? = nil) {
        (self.line, self.region, self.function) = (line, region, function)
    }

    /// The floor on one metric.
    public subscript(metric: CoverageMetric) -> Percentage? {
        get {
            switch metric {
            case .line: line
            case .region: region
            case .function: function
            }
        }
        set {
            switch metric {
            case .line: line = newValue
            case .region: region = newValue
            case .function: function = newValue
            }
        }
    }
}

/// The floors for every module whose name matches a pattern.
public struct ModuleRule: Sendable, Hashable, Codable {
    /// A module name, or a pattern with `*` and `?`.
    public var pattern: String
    /// The floors it sets.
    public var floors: Floors

    package init(pattern: String, floors: Floors) { (self.pattern, self.floors) = (pattern, floors) }
}

extension GateChangeCode {
    static let floorLowered = GateChangeCode(
        "floor-lowered", "A floor of a module is lower than at the base.", isWaivedBySubject: true)
    static let floorRemoved = GateChangeCode(
        "floor-removed", "A floor of a module is gone.", isWaivedBySubject: true)
    static let defaultFloorLowered = GateChangeCode(
        "default-floor-lowered", "The floor of every module without one of its own is lower than at the base.")
    static let moduleRenamed = GateChangeCode(
        "module-renamed", "A module of the base has another name, and a lower floor under it.", isWaivedBySubject: true)
}

/// Every module reaches its floors.
enum ModuleFloors: Rule {
    static let code = "floor"
    static let changes: [GateChangeCode] = [.floorLowered, .floorRemoved, .defaultFloorLowered, .moduleRenamed]

    /// The floors of every module of the run, and those of modules to come.
    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings, let base = comparison.base else { return }
        let (run, policy, head) = (comparison.run, comparison.policy, comparison.head)
        let own = FloorTable(policy)
        let demanded = DemandedFloors(base, comparison)
        let modules = run.modules.filter { $0.kind != .test && $0.reasonNotMeasurable == nil }.map(\.name)
        var ofDefault: [(module: String, metric: CoverageMetric, floor: Percentage)] = []
        for module in modules {
            let old = comparison.renamed(module) ?? module
            for metric in CoverageMetric.allCases {
                guard let floor = demanded.floor(of: old, metric), floor.thousandths > 0 else { continue }
                let now = own.floors(for: module)[metric]
                guard floor > now ?? .zero else { continue }
                let hadOwn = base.floors.own(old)?[metric] != nil
                let hasOwn = own.own(module)?[metric] != nil
                if !hadOwn, !hasOwn {
                    ofDefault.append((module, metric, floor))
                    continue
                }
                let code: GateChangeCode =
                    Name(old) == Name(module)
                    ? hadOwn && !hasOwn ? .floorRemoved : .floorLowered : .moduleRenamed
                comparison.note(
                    GateChange(
                        code, subject: module, metric: metric, before: words(floor), after: words(now),
                        items: code == .moduleRenamed ? [old] : [], basePlace: base.place(ofFloorsFor: old),
                        place: head.place(ofFloorsFor: module)))
                comparison.note(floor, on: metric, of: module, by: comparison.changes.count - 1)
            }
        }
        for metric in CoverageMetric.allCases {
            guard let floor = settings.policy.defaultFloors[metric], floor > policy.defaultFloors[metric] ?? .zero
            else {
                continue
            }
            let concerned = ofDefault.filter { $0.metric == metric }
            comparison.note(
                GateChange(
                    .defaultFloorLowered, subject: "default", metric: metric, before: words(floor),
                    after: words(policy.defaultFloors[metric]), items: concerned.map(\.module),
                    basePlace: base.place(of: "coverage.modules.default"),
                    place: head.place(of: "coverage.modules.default")))
            for entry in concerned {
                comparison.note(entry.floor, on: metric, of: entry.module, by: comparison.changes.count - 1)
            }
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.isWhole else { return }
        for (strict, lenient) in zip(input.modules, input.lenient) where strict.notMeasurable == nil {
            let name = strict.module.name
            let floors = input.applied.floors(for: name)
            for metric in CoverageMetric.allCases {
                let source = input.applied.source(of: metric, for: name)
                // Unstable lines are not what the ratchet is for.
                let measured = source == .ratchet ? lenient : strict
                let tally = measured.tally(metric)
                guard let floor = floors[metric], tally.total > 0, !floor.isReached(by: tally) else { continue }
                var violation = Violation.floorMissed(
                    module: name,
                    MissedCoverage(
                        metric: metric, tally: tally, floor: floor, shortfall: floor.shortfall(of: tally),
                        source: source == .head ? nil : source, files: measured.missedFiles(metric)))
                if tally.covered == 0, input.run.modules.isUntestedExecutable(measured.module) {
                    violation.hint = Self.hint(onUntestedExecutable: name)
                }
                findings.violations.append(violation)
            }
        }
    }

    static func count(_ violations: [Violation]) -> Int { Set(violations.map { Name($0.title) }).count }

    static func summary(_ count: Int) -> String {
        "\(Figures.counted(count, "module")) \(Figures.underFloor(count))"
    }

    /// What people usually do with an executable that no test reaches.
    private static func hint(onUntestedExecutable name: String) -> String {
        "No test depends on this executable: move its code into a library that tests import, "
            + "or give it a floor of its own (coverage.modules: \(name): { line: 0 }). These lines were missed:"
    }

    private static func words(_ floor: Percentage?) -> String {
        floor.map { $0.thousandths > 0 ? "\($0) %" : "none" } ?? "none"
    }
}

extension Violation {
    /// A module is under a floor.
    public static func floorMissed(module: String, _ coverage: MissedCoverage) -> Violation {
        coverage.violation(of: ModuleFloors.self, .module(module), title: module)
    }
}

/// The floors that the base demands of modules.
private struct DemandedFloors {
    private let base: SettingsIndex
    /// The coverage that the floors of first settings may start from; `nil` if no coverage is known.
    private let known: [Name: [CoverageMetric: CoverageTally]]?

    init(_ base: SettingsIndex, _ comparison: BaseComparison) {
        self.base = base
        guard base.settings.file == nil else {
            known = [:]
            return
        }
        if let run = comparison.baseline.run {
            known = Dictionary(
                run.modules.filter { $0.notMeasurable == nil }.map { module in
                    (Name(module.module), Self.tallies(module.tally))
                }
            ) { first, _ in first }
        } else {
            known = comparison.run.coverage.map { coverage in
                Dictionary(grouping: coverage.files) { Name($0.module) }.mapValues { files in
                    Self.tallies { metric in files.reduce(CoverageTally()) { $0 + $1.tally(metric) } }
                }
            }
        }
    }

    private static func tallies(_ tally: (CoverageMetric) -> CoverageTally) -> [CoverageMetric: CoverageTally] {
        Dictionary(uniqueKeysWithValues: CoverageMetric.allCases.map { ($0, tally($0)) })
    }

    /// The floor of a module; `nil` where none is demanded.
    ///
    /// Nobody set the floors of a base without settings: they are the defaults. The first settings may start lower, at the
    /// whole percents that the base's run covers, or this run if that of the base is not known.
    func floor(of module: String, _ metric: CoverageMetric) -> Percentage? {
        let floor = base.floors.floors(for: module)[metric]
        guard let floor, base.settings.file == nil else { return floor }
        // Where no coverage is known at all, other rules than floors judge the run.
        guard let known else { return nil }
        guard let tally = known[Name(module)]?[metric], tally.total > 0 else { return floor }
        return min(floor, tally.wholePercent)
    }
}
