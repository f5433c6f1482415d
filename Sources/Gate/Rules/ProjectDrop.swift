import RunModel

extension GateChangeCode {
    static let projectDropRaised = GateChangeCode(
        "project-drop-raised",
        "The project may fall further behind its base than at the base, or as far as it likes.")
}

/// All modules together do not fall too far behind the lines of the base that are still there.
enum ProjectDrop: Rule {
    static let code = "project-drop"
    static let changes: [GateChangeCode] = [.projectDropRaised]
    private static let key = "coverage.project.may-drop"

    static func demands(of policy: Policy) -> [Demand] {
        policy.project?.mayDrop.map { [Demand(name: "Against the base", words: "at most \($0) points less")] } ?? []
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.projectLimits.mayDrop, at: key, .projectDropRaised, isLaxer: >)
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.isWhole, let limit = input.rules.project?.mayDrop else { return }
        if !input.isCompared { findings.needsBase.append(key) }
        if input.lacksLines, input.isCompared, input.rules.project?.line ?? .zero == .zero {
            findings.addGap(withoutLinesFor: "coverage.project")
        }
        guard let change = input.change else { return }
        guard let now = change.project, let before = change.before else {
            return findings.gaps.append(
                Gap(
                    .baseRunMissing, subject: String(change.base.commit.prefix(12)),
                    detail: "\(key) needs a base run: kanmon run --commit \(change.base.commit)"))
        }
        guard now.total > 0, before.total > 0, !limit.allowsDrop(from: before, to: now) else { return }
        let shortfall = limit.shortfall(ofDropFrom: before, to: now)
        let files = missed(change, in: input.files)
        let isEnough = files.reduce(0) { $0 + $1.missed } >= shortfall
        findings.violations.append(
            .projectDropped(
                MissedCoverage(
                    tally: now, floor: limit, shortfall: shortfall, before: before,
                    files: isEnough ? files : [MissedFile](missedIn: input.files))))
    }

    /// The lines that the change left uncovered, the worst files first.
    private static func missed(_ change: ChangeStatus, in files: [FileCoverage]) -> [MissedFile] {
        let uncovered = Dictionary(change.files.map { (Name($0.path), $0.missed) }) { first, _ in first }
        let indirect = Dictionary(change.indirect.map { (Name($0.path), $0.lost) }) { first, _ in first }
        return files.compactMap { file -> MissedFile? in
            let (new, lost) = (uncovered[Name(file.path)] ?? [], indirect[Name(file.path)] ?? [])
            let ranges = (new + lost).sorted { $0.lowerBound < $1.lowerBound }
            guard !ranges.isEmpty else { return nil }
            return MissedFile(path: file.path, missed: ranges.reduce(0) { $0 + $1.count }, ranges: ranges)
        }.worstFirst
    }

    static func summary(_ count: Int) -> String { "the project fell too far" }
}

extension Violation {
    /// The project fell too far behind its base.
    ///
    /// - Parameter coverage: Its `floor` is the allowed drop in percentage points, its `before` the base's coverage of the lines that
    ///   still exist.
    public static func projectDropped(_ coverage: MissedCoverage) -> Violation {
        let before = coverage.before ?? CoverageTally()
        return coverage.violation(
            of: ProjectDrop.self, .project, title: "the project",
            reason: "line coverage fell from \(Figures.percent(before)) to \(Figures.percent(coverage.tally)), "
                + "more than \(coverage.floor) points: \(Figures.tally(coverage.tally)) lines, "
                + "at the base \(Figures.tally(before)) of the lines that still exist.")
    }
}

extension Percentage {
    /// Whether `tally` is at most the given percentage points below `before`, by cross-multiplication.
    ///
    /// Both totals have to be more than 0, and less than 2^31.
    func allowsDrop(from before: CoverageTally, to tally: CoverageTally) -> Bool {
        let have = (tally.covered * 100_000 + thousandths * tally.total).multipliedFullWidth(by: before.total)
        let need = (before.covered * 100_000).multipliedFullWidth(by: tally.total)
        return (have.high, have.low) >= (need.high, need.low)
    }

    /// How many more lines have to be covered for a drop to be allowed; 0 when it is.
    func shortfall(ofDropFrom before: CoverageTally, to tally: CoverageTally) -> Int {
        var (allowed, refused) = (tally.missed, -1)
        while allowed - refused > 1 {
            let middle = (allowed + refused) / 2
            let better = CoverageTally(covered: tally.covered + middle, total: tally.total)
            if allowsDrop(from: before, to: better) { allowed = middle } else { refused = middle }
        }
        return allowed
    }
}
