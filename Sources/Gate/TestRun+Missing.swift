import RunModel

/// What a run lacks without saying so itself. Its readers report gaps with more detail; this is the last line of defense
/// against a verdict without evidence.
extension TestRun {
    /// A gap for tests without a result and for a run in which nothing was executed, unless there is one.
    var missingResults: [Gap] {
        let outcomes = outcomes
        if outcomes[.notRun] > 0 {
            return has(.testsNotRun)
                ? [] : [Gap(.testsNotRun, detail: "tests without a result: \(outcomes[.notRun]) of \(outcomes.total)")]
        }
        // Who ended it knows why nothing ran.
        guard outcomes.executed == 0, !has(.noTests), !has(.allSkipped), !has(.interrupted) else { return [] }
        return outcomes.total == 0
            ? [Gap(.noTests, detail: "the run has no test")]
            : [Gap(.allSkipped, detail: "skipped tests: \(outcomes.total) of \(outcomes.total)")]
    }

    /// Gaps for coverage that should be there because tests were executed, unless there are some already.
    func missingCoverage(of modules: [MeasuredModule], by policy: AppliedPolicy) -> [Gap] {
        let executed = outcomes.executed
        guard executed > 0, !hasBlanketCoverageGap, !lacksLines(in: modules) else { return [] }
        // Another tool may write none, and nobody misses it where no rule is about it.
        if self.engine == .foreign, coverage == nil, !policy.asksForCoverage { return [] }
        guard coverage != nil, !modules.isEmpty else { return [noCoverage(executed)] }
        // What a gap without a subject says is said of every module.
        let told: Set<Name> = Set(gaps.filter { $0.code == .coverageMissing }.map { Name($0.subject) })
        guard !told.contains(Name("")) else { return [] }
        return modules.filter { $0.notMeasurable == nil }.flatMap { measured -> [Gap] in
            let name = measured.module.name
            guard !told.contains(Name(name)) else { return [] }
            guard !measured.files.isEmpty else {
                return [Gap(.coverageMissing, subject: name, detail: "the coverage names no file of this module")]
            }
            let floors = policy.floors(for: name)
            return CoverageMetric.allCases.filter {
                (floors[$0]?.thousandths ?? 0) > 0 && measured.tally($0).total == 0
            }.map {
                Gap(.coverageMissing, subject: name, detail: "the coverage counts no \($0.rawValue) of this module")
            }
        }
    }

    /// Whether tests were executed and no module has a line that could be measured, which no gap says yet.
    ///
    /// Of reports that bring neither targets nor files nobody knows what there is to measure.
    func lacksLines(in modules: [MeasuredModule]) -> Bool {
        outcomes.executed > 0 && !hasBlanketCoverageGap && !(modules.isEmpty && self.modules.isEmpty)
            && modules.allSatisfy { $0.notMeasurable != nil }
    }

    private func noCoverage(_ executed: Int) -> Gap {
        Gap(.coverageMissing, detail: "tests were executed (\(executed)), but the run has no coverage")
    }

    /// Whether the run itself says that its coverage as a whole is missing or unusable.
    private var hasBlanketCoverageGap: Bool {
        coverage == nil && (has(.coverageMissing) || has(.coverageMalformed) || has(.coverageStale))
    }

    private func has(_ code: ReasonCode) -> Bool { gaps.contains { $0.code == code } }
}
