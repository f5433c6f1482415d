import RunModel

/// The settings that a run is really judged by: the stricter of its own settings and the base's, waivers considered.
struct AppliedPolicy {
    let policy: Policy
    /// The rules beside the floors of modules that hold.
    let rules: Policy
    /// The floors that come from the base.
    var raised: [RaisedFloor] = []
    /// What weakens the gate, the ratchet included.
    var changes: [GateChange] = []
    /// What the ratchet would need to know.
    var gaps: [Gap] = []
    let comparison: BaseComparison?
    private let own: [Glob]
    private let base: [Glob]?

    init(_ policy: Policy, of run: TestRun, against baseline: Baseline?) {
        self.policy = policy
        own = policy.excludes.map { Glob($0.pattern) }
        let comparison = baseline.flatMap { $0.commit == nil ? nil : BaseComparison(run, policy, $0) }
        self.comparison = comparison
        rules = comparison?.rules ?? policy
        base = comparison.flatMap { $0.baseline.settings?.policy.excludes.map { Glob($0.pattern) } }
        changes = comparison?.changes ?? []
        gaps = baseline?.gaps ?? []
        for step in comparison?.steps ?? [] where changes[step.change].waiver == nil {
            raised.append(
                RaisedFloor(module: step.module, metric: step.metric, floor: step.floor, source: .base))
        }
    }

    /// Whether the lines of a file do not count. What did not count at the base never blocks; a pattern that takes out
    /// more than that needs a waiver.
    func excludes(_ path: String) -> Bool {
        zip(own, policy.excludes).contains { glob, exclude in
            guard glob.matches(path) else { return false }
            guard let base, let comparison, !base.contains(where: { $0.matches(path) }) else { return true }
            return comparison.isWaived(.excludeAdded, about: exclude.pattern)
                || comparison.isWaived(.excludeWidened, about: exclude.pattern)
        }
    }

    /// The floors of a module, each the highest that holds.
    func floors(for module: String) -> Floors {
        var floors = policy.floors(for: module)
        for entry in raised where Name(entry.module) == Name(module) {
            floors[entry.metric] = max(floors[entry.metric] ?? entry.floor, entry.floor)
        }
        return floors
    }

    /// Where a floor of a module comes from: the highest of those that were raised.
    func source(of metric: CoverageMetric, for module: String) -> FloorSource {
        let floor = floors(for: module)[metric]
        return raised.last { Name($0.module) == Name(module) && $0.metric == metric && $0.floor == floor }?
            .source ?? .head
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
