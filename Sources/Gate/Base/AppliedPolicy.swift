import RunModel

/// The settings that a run is really judged by: the stricter of its own settings and the base's, waivers considered.
struct AppliedPolicy {
    let policy: Policy
    /// The rules beside the floors of modules that hold.
    let rules: Policy
    /// The floors that come from the base.
    private(set) var raised: [RaisedFloor] = []
    /// The highest of them for each metric of a module; of several the last one.
    private var highest: [Name: [CoverageMetric: RaisedFloor]] = [:]
    /// What weakens the gate, the ratchet included.
    var changes: [GateChange] = []
    /// The gaps for facts that are missing, such as the stored run that the ratchet needs.
    var gaps: [Gap] = []
    let comparison: BaseComparison?
    private let own: PatternSet
    private let base: PatternSet?
    /// The patterns that a waiver lets take out files which counted at the base.
    private let waived: PatternSet
    private let table: FloorTable

    init(_ policy: Policy, of run: TestRun, against baseline: Baseline?, changed files: [FileChange] = []) {
        self.policy = policy
        own = PatternSet(policy.excludes.map(\.pattern))
        table = FloorTable(policy)
        let comparison = baseline.flatMap { $0.commit == nil ? nil : BaseComparison(run, policy, $0, files) }
        self.comparison = comparison
        rules = comparison?.rules ?? policy
        base = comparison?.settings.map { PatternSet($0.policy.excludes.map(\.pattern)) }
        waived = PatternSet(
            policy.excludes.map(\.pattern).filter { pattern in
                comparison?.isWaived(.excludeAdded, about: pattern) == true
                    || comparison?.isWaived(.excludeWidened, about: pattern) == true
            })
        changes = comparison?.changes ?? []
        gaps = baseline?.gaps ?? []
        for step in comparison?.steps ?? [] where changes[step.change].waiver == nil {
            raise(RaisedFloor(module: step.module, metric: step.metric, floor: step.floor, source: .base))
        }
    }

    /// Adds a floor that comes from the base.
    mutating func raise(_ floor: RaisedFloor) {
        raised.append(floor)
        let name = Name(floor.module)
        if let known = highest[name]?[floor.metric], known.floor > floor.floor { return }
        highest[name, default: [:]][floor.metric] = floor
    }

    /// Whether the lines of a file do not count. What did not count at the base never blocks; a pattern that takes out
    /// more than that needs a waiver.
    func excludes(_ path: String) -> Bool {
        guard own.matches(path) else { return false }
        return base.map { $0.matches(path) || waived.matches(path) } ?? true
    }

    /// The floors of a module: for each metric the highest of its own and the raised ones.
    func floors(for module: String) -> Floors {
        var floors = table.floors(for: module)
        for (metric, entry) in highest[Name(module)] ?? [:] {
            floors[metric] = max(floors[metric] ?? entry.floor, entry.floor)
        }
        return floors
    }

    /// Where a floor of a module comes from: the highest of those that were raised.
    func source(of metric: CoverageMetric, for module: String) -> FloorSource {
        guard let entry = highest[Name(module)]?[metric], entry.floor == floors(for: module)[metric] else {
            return .head
        }
        return entry.source
    }

    /// Whether any rule of the run or of its base is about coverage.
    var asksForCoverage: Bool {
        [policy, rules, comparison?.baseline.settings?.policy].contains { $0?.asksForCoverage == true }
    }

    /// What the comparison came to; `nil` without a base.
    var review: BaseReview? {
        guard let comparison, let commit = comparison.baseline.commit else { return nil }
        return BaseReview(
            commit: commit, run: comparison.baseline.run?.id, changes: changes,
            waivers: comparison.statuses(after: changes), faults: comparison.baseline.waivers.faults, floors: raised)
    }
}
