public import RunModel

/// Floors that rise by themselves: what the base's stored run covered, less a tolerance.
public struct RatchetRule: Sendable, Hashable, Codable {
    /// By how many points a module may fall below the base's run.
    public var tolerance: Percentage

    /// A tenth of a point: a line more or less in a module of a thousand is no drop.
    public init(tolerance: Percentage = Percentage(thousandths: 100) ?? .zero) { self.tolerance = tolerance }

    /// The floor after a run that covered so much; `nil` when nothing was counted. Rounded down to a thousandth.
    public func floor(after tally: CoverageTally) -> Percentage? {
        guard tally.total > 0 else { return nil }
        let thousandths = tally.total.dividingFullWidth(tally.covered.multipliedFullWidth(by: 100_000)).quotient
        return Percentage(thousandths: max(0, thousandths - tolerance.thousandths))
    }
}

extension GateChangeCode {
    static let coverageDropped = GateChangeCode(
        "coverage-dropped", "A module covers less than in the base's stored run, under the ratchet.",
        isWaivedBySubject: true)
    static let ratchetOff = GateChangeCode("ratchet-off", "The ratchet is switched off that was on at the base.")
}

/// Floors rise with the base: what it raises is judged by `ModuleFloors`.
enum Ratchet: Rule {
    static let code = "ratchet"
    static let changes: [GateChangeCode] = [.coverageDropped, .ratchetOff]
    static let key = "coverage.ratchet"

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Ratchet", words: policy.ratchet == nil ? nil : "never less than at the base")]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.ratchet, at: key, .ratchetOff) { head, base in
            head == nil && base != nil
        } words: {
            $0 == nil ? "false" : "true"
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        if input.isWhole, input.rules.ratchet != nil, input.applied.comparison == nil { findings.needsBase.append(key) }
    }
}

extension AppliedPolicy {
    /// Raises every floor to what the base's run covered, less the tolerance.
    ///
    /// A floor that would be missed only because of unstable lines is not raised.
    ///
    /// - Parameters:
    ///   - modules: The modules with unstable lines as not covered.
    ///   - lenient: The same with unstable lines as covered.
    mutating func applyRatchet(to modules: [MeasuredModule], lenient: [MeasuredModule]) {
        guard let comparison, let rule = rules.ratchet else { return }
        guard let run = comparison.baseline.run else {
            gaps.append(
                Gap(
                    .baseRunMissing, subject: "ratchet",
                    detail: "no complete run of \(comparison.baseline.commit?.commit ?? "the base") is stored"))
            return
        }
        var comparisonWithDrops = comparison
        let known = Dictionary(run.modules.map { (Name($0.module), $0) }) { first, _ in first }
        for (strict, measured) in zip(modules, lenient) where measured.notMeasurable == nil {
            let module = measured.module.name
            let old = comparison.renamed(module) ?? module
            guard let before = known[Name(old)], before.notMeasurable == nil else { continue }
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
                raise(
                    RaisedFloor(
                        module: module, metric: metric, floor: floor, source: .ratchet, tally: before.tally(metric)))
            }
        }
    }
}
