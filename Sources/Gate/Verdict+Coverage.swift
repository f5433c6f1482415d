import RunModel

extension Verdict {
    /// The rules on the coverage of the change, the project and single files, and what keeps them from being judged.
    static func coverageFindings(
        of modules: [MeasuredModule], by policy: Policy, change: ChangeStanding?
    ) -> (violations: [CoverageViolation], gaps: [Gap]) {
        let files = modules.filter { $0.notMeasurable == nil }.flatMap(\.files)
        let total = files.reduce(CoverageTally()) { $0 + $1.lineTally }
        var violations = change?.violations(by: policy) ?? []
        var gaps: [Gap] = []
        if let floor = policy.project?.line, total.total > 0, !floor.isReached(by: total) {
            violations.append(
                CoverageViolation(
                    rule: .project, tally: total, limit: floor, shortfall: floor.shortfall(of: total),
                    files: missed(files)))
        }
        if let limit = policy.project?.mayDrop, let change {
            if let now = change.project, let before = change.before {
                if now.total > 0, before.total > 0, !limit.allowsDrop(from: before, to: now) {
                    violations.append(drop(change, files: files, limit: limit, from: before, to: now))
                }
            } else {
                let commit = String(change.base.commit.prefix(12))
                let detail =
                    "coverage.project.may-drop needs a whole run of the base: kanmon run --commit \(change.base.commit)"
                gaps.append(Gap(.baseRunMissing, subject: commit, detail: detail))
            }
        }
        if let floor = policy.fileFloor {
            for file in files where !file.lines.isEmpty && !floor.isReached(by: file.lineTally) {
                let tally = file.lineTally
                violations.append(
                    CoverageViolation(
                        rule: .file(file.path), tally: tally, limit: floor, shortfall: floor.shortfall(of: tally),
                        files: missed([file])))
            }
        }
        return (violations, gaps)
    }

    /// A gap for the rules that need a base, where nobody knows one.
    ///
    /// The ratchet needs the commit, the others what changed since as well.
    static func missingBase(_ policy: Policy, of baseline: Baseline?, isCompared: Bool) -> [Gap] {
        // Where nothing stood before there is nothing to miss, and what could not be found out is told already.
        guard baseline?.absence == nil, baseline?.gaps.contains(where: { $0.code == .baseUnknown }) != true else {
            return []
        }
        let rules =
            (policy.patch == nil || isCompared ? [] : ["coverage.patch"])
            + (policy.project?.mayDrop == nil || isCompared ? [] : ["coverage.project.may-drop"])
            + (policy.ratchet == nil || baseline?.commit != nil ? [] : ["coverage.ratchet"])
        guard let last = rules.last else { return [] }
        let others = rules.dropLast().joined(separator: ", ")
        let (names, need) = others.isEmpty ? (last, "needs") : ("\(others) and \(last)", "need")
        return [Gap(.baseUnknown, detail: "the run was not compared with a base, which \(names) \(need)")]
    }

    /// The lines that the change left uncovered, if they are enough for a cure; else every line that is missed.
    private static func drop(
        _ change: ChangeStanding, files: [FileCoverage], limit: Percentage, from before: CoverageTally,
        to now: CoverageTally
    ) -> CoverageViolation {
        let shortfall = limit.shortfall(ofDropFrom: before, to: now)
        let guilty = files.compactMap { file -> MissedFile? in
            let new = change.files.first { Name($0.path) == Name(file.path) }?.missed ?? []
            let lost = change.indirect.first { Name($0.path) == Name(file.path) }?.lost ?? []
            let ranges = (new + lost).sorted { $0.lowerBound < $1.lowerBound }
            guard !ranges.isEmpty else { return nil }
            return MissedFile(path: file.path, missed: ranges.reduce(0) { $0 + $1.count }, ranges: ranges)
        }
        let isEnough = guilty.reduce(0) { $0 + $1.missed } >= shortfall
        return CoverageViolation(
            rule: .drop(from: before), tally: now, limit: limit, shortfall: shortfall,
            files: isEnough ? guilty.worstFirst : missed(files))
    }

    private static func missed(_ files: [FileCoverage]) -> [MissedFile] {
        files.filter { $0.lineTally.missed > 0 }
            .map { MissedFile(path: $0.path, missed: $0.lineTally.missed, ranges: $0.missedRanges) }.worstFirst
    }
}
