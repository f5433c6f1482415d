import RunModel

/// The bar that a run is really judged by: the stricter of its own settings and the base's, waivers considered.
struct AppliedPolicy {
    let policy: Policy
    /// The rules beside the floors of modules that hold.
    let rules: Policy
    /// How many test cases must have been executed at least.
    let minimumTests: Int
    /// The floors that come from the base.
    private(set) var raised: [RaisedFloor] = []
    /// What lowers the bar, the ratchet included.
    private(set) var changes: [GateChange] = []
    /// What the ratchet would need to know.
    private(set) var gaps: [Gap] = []
    private let comparison: BaseComparison?
    private let own: [Glob]
    private let base: [Glob]?

    init(_ policy: Policy, of run: TestRun, against baseline: Baseline?) {
        self.policy = policy
        own = policy.excludes.map { Glob($0.pattern) }
        let comparison = baseline.flatMap { $0.commit == nil ? nil : BaseComparison(run, policy, $0) }
        self.comparison = comparison
        rules = comparison?.rules ?? policy
        base = comparison.flatMap { $0.baseline.bar?.policy.excludes.map { Glob($0.pattern) } }
        changes = comparison?.changes ?? []
        gaps = baseline?.gaps ?? []
        let demanded = comparison?.baseline.bar?.policy.minimumTests ?? 0
        let isWaived = comparison?.isWaived(.minimumTestsLowered, about: BarLimit.Rule.minimumTests.rawValue) ?? false
        minimumTests = isWaived ? policy.minimumTests : max(policy.minimumTests, demanded)
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

    /// Raises every floor to what the base's run covered, less the tolerance.
    ///
    /// What only unstable lines keep from being reached is not raised.
    ///
    /// - Parameters:
    ///   - modules: The modules with unstable lines as not covered.
    ///   - lenient: The same with unstable lines as covered.
    mutating func applyRatchet(to modules: [MeasuredModule], lenient: [MeasuredModule]) {
        guard let comparison, var rule = policy.ratchet ?? comparison.baseline.bar?.policy.ratchet else { return }
        if let base = comparison.baseline.bar?.policy.ratchet {
            if policy.ratchet == nil, comparison.isWaived(.ratchetOff, about: BarLimit.Rule.ratchet.rawValue) { return }
            rule = base
        }
        guard let run = comparison.baseline.run else {
            gaps.append(
                Gap(
                    .baseRunMissing, subject: "ratchet",
                    detail: "no complete run of \(comparison.baseline.commit?.commit ?? "the base") is stored"))
            return
        }
        var comparisonWithDrops = comparison
        for (strict, measured) in zip(modules, lenient) where measured.notMeasurable == nil {
            let module = measured.module.name
            let old = comparison.renamed(module) ?? module
            guard let before = run.modules.first(where: { Name($0.module) == Name(old) }),
                before.notMeasurable == nil
            else { continue }
            for metric in CoverageMetric.allCases where (floors(for: module)[metric]?.thousandths ?? 0) > 0 {
                guard let floor = rule.floor(after: before.tally(metric)), floor > floors(for: module)[metric] ?? .zero
                else { continue }
                let tally = measured.tally(metric)
                if tally.total > 0, !floor.isReached(by: tally) {
                    comparisonWithDrops.note(
                        GateChange(
                            .coverageDropped, subject: module, metric: metric, before: "\(floor) %",
                            after: "\(tally.flooredPercent ?? "0") %"))
                    if let change = comparisonWithDrops.changes.last, change.waiver != nil {
                        changes.append(change)
                        continue
                    }
                } else if tally.total > 0, !floor.isReached(by: strict.tally(metric)) {
                    continue
                }
                raised.append(
                    RaisedFloor(
                        module: module, metric: metric, floor: floor, source: .ratchet, tally: before.tally(metric)))
            }
        }
    }

    /// What the comparison came to; `nil` without a base.
    var review: BaseReview? {
        guard let comparison, let commit = comparison.baseline.commit else { return nil }
        return BaseReview(
            commit: commit, run: comparison.baseline.run?.id, changes: changes,
            waivers: comparison.standings(after: changes), faults: comparison.baseline.waivers.faults, floors: raised)
    }
}
