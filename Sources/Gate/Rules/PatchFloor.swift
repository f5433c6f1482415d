public import RunModel

/// The floor on the lines that a change adds.
public struct PatchRule: Sendable, Hashable, Codable {
    /// A change of fewer executable lines is not judged, unless a policy says otherwise.
    public static let defaultMinimumLines = 5

    /// The floor on the executable lines that were added or changed.
    public var line: Percentage
    /// How many of them there must be for the rule to be judged at all.
    public var minimumLines: Int

    package init(line: Percentage, minimumLines: Int = Self.defaultMinimumLines) {
        (self.line, self.minimumLines) = (line, minimumLines)
    }
}

extension GateChangeCode {
    static let patchFloorLowered = GateChangeCode(
        "patch-floor-lowered", "The floor of the lines that a change adds is lower than at the base, or gone.")
    static let patchMinimumRaised = GateChangeCode(
        "patch-minimum-raised", "A change has to add more lines than at the base before they are judged.")
}

/// The lines that a change adds reach their floor.
enum PatchFloor: Rule {
    static let code = "patch"
    static let changes: [GateChangeCode] = [.patchFloorLowered, .patchMinimumRaised]
    private static let key = "coverage.patch"

    static func demands(of policy: Policy) -> [Demand] {
        [
            Demand(
                name: "Changed lines",
                words: policy.patch.map {
                    "≥ \(Figures.percent($0.line)) from \(Figures.counted($0.minimumLines, "line")) on"
                }
            )
        ]
    }

    static func compare(_ comparison: inout BaseComparison) {
        guard let base = comparison.settings?.policy.patch else { return }
        let head = comparison.baseline.head.policy.patch
        if head.map({ $0.line < base.line }) ?? true {
            let isWaived = comparison.note(
                .patchFloorLowered, about: key, before: BaseComparison.words(base.line),
                after: BaseComparison.words(head?.line), key: key)
            if !isWaived {
                comparison.rules.patch = PatchRule(
                    line: base.line, minimumLines: comparison.rules.patch?.minimumLines ?? base.minimumLines)
            }
        }
        // Without a rule on changed lines there is nothing that a minimum of lines could switch off.
        guard let head, head.minimumLines > base.minimumLines else { return }
        let isWaived = comparison.note(
            .patchMinimumRaised, about: "\(key).min-lines", before: "\(base.minimumLines) lines",
            after: "\(head.minimumLines) lines", key: "\(key).min-lines")
        if !isWaived { comparison.rules.patch?.minimumLines = base.minimumLines }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.isWhole, let rule = input.rules.patch else { return }
        if !input.isCompared { findings.needsBase.append(key) }
        // With coverage it would be known that the change adds no executable line.
        if input.lacksLines, rule.line > .zero, input.isCompared, input.run.coverage == nil {
            findings.addGap(withoutLinesFor: key)
        }
        guard let change = input.change, change.isJudged, !rule.line.isReached(by: change.lines) else { return }
        let missed = change.files.filter { !$0.missed.isEmpty }
            .map { MissedFile(path: $0.path, missed: $0.tally.missed, ranges: $0.missed) }
        findings.violations.append(
            .patchMissed(
                MissedCoverage(
                    tally: change.lines, floor: rule.line, shortfall: rule.line.shortfall(of: change.lines),
                    files: missed.worstFirst)))
    }

    static func summary(_ count: Int) -> String { "the change is \(Figures.underFloor())" }
}

extension Violation {
    /// The lines that a change adds are under their floor.
    public static func patchMissed(_ coverage: MissedCoverage) -> Violation {
        coverage.violation(of: PatchFloor.self, .change, title: "the change", counted: "changed lines")
    }
}
