public import RunModel

/// The floor on all measured modules together, and by how much they may drop.
public struct ProjectRule: Sendable, Hashable, Codable {
    /// The floor on the executable lines of all of them.
    public var line: Percentage?
    /// By how many percentage points they may fall behind the base.
    public var mayDrop: Percentage?

    package init(line: Percentage? = nil, mayDrop: Percentage? = nil) { (self.line, self.mayDrop) = (line, mayDrop) }
}

extension GateChangeCode {
    static let projectFloorLowered = GateChangeCode(
        "project-floor-lowered", "The floor of the whole project is lower than at the base, or gone.")
}

/// All modules together reach a floor.
enum ProjectFloor: Rule {
    static let code = "project"
    static let changes: [GateChangeCode] = [.projectFloorLowered]
    private static let key = "coverage.project"

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "The project", words: policy.project?.line.map { "≥ \(Figures.percent($0)) of its lines" })]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.projectLimits.line, at: key, .projectFloorLowered, isLaxer: <)
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.isWhole, let floor = input.rules.project?.line else { return }
        if input.lacksLines, floor > .zero { findings.addGap(withoutLinesFor: key) }
        let tally = input.files.reduce(CoverageTally()) { $0 + $1.lineTally }
        guard tally.total > 0, !floor.isReached(by: tally) else { return }
        findings.violations.append(
            .projectMissed(
                MissedCoverage(
                    tally: tally, floor: floor, shortfall: floor.shortfall(of: tally),
                    files: [MissedFile](missedIn: input.files))))
    }

    static func summary(_ count: Int) -> String { "the project is \(Figures.underFloor())" }
}

extension Violation {
    /// The project is under its floor.
    public static func projectMissed(_ coverage: MissedCoverage) -> Violation {
        coverage.violation(of: ProjectFloor.self, .project, title: "the project")
    }
}

extension Policy {
    /// What all modules together must reach; without limits they are not judged.
    public var projectLimits: ProjectRule {
        get { project ?? ProjectRule() }
        set { project = newValue == ProjectRule() ? nil : newValue }
    }
}
