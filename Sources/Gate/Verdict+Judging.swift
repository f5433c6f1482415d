public import RunModel

extension Verdict {
    /// Judges a run by a policy: one pure function for every surface.
    ///
    /// A gap makes the verdict undecided, whatever else holds; only a failed build is sure without further evidence.
    /// Violations are listed all the same, so that a person sees everything at once.
    /// - Throws: `PolicyError` when the policy does not fit the package; then nothing is judged.
    public init(judging run: TestRun, by policy: Policy) throws(PolicyError) {
        let excludes = policy.excludes.map(Glob.init)
        let modules = MeasuredModule.all(of: run, excludes: excludes)
        try policy.check(run, modules: modules, excludes: excludes)

        var gaps = run.gaps
        var violations: [Violation] = []
        if run.buildFailed {
            violations.append(run.buildViolation)
        }
        violations += run.testViolations
        if !run.buildFailed {
            gaps += run.missingResults
            // A part of the tests says nothing about how many there are and what all of them cover.
            if !run.isPartial {
                gaps += run.missingCoverage(of: modules, by: policy)
                violations += run.minimumViolation(policy.minimumTests)
                violations += Self.floorViolations(of: modules, by: policy)
            }
        }

        self.init(
            decision: Self.decision(buildFailed: run.buildFailed, gaps: gaps, violations: violations),
            violations: violations, gaps: gaps, modules: modules.map { $0.standing(under: run.isPartial ? nil : policy) }, policy: policy
        )
    }

    private static func decision(buildFailed: Bool, gaps: [Gap], violations: [Violation]) -> Decision {
        if buildFailed { return .failed }
        if !gaps.isEmpty { return .undecided }
        return violations.isEmpty ? .passed : .failed
    }

    /// The floors that are missed, by module in the order of the package, then by metric.
    private static func floorViolations(of modules: [MeasuredModule], by policy: Policy) -> [Violation] {
        modules.filter { $0.notMeasurable == nil }.flatMap { measured -> [Violation] in
            let floors = policy.floors(for: measured.module.name)
            return CoverageMetric.allCases.compactMap { metric in
                let tally = measured.tally(metric)
                guard let floor = floors[metric], tally.total > 0, !floor.isReached(by: tally) else { return nil }
                return .floorMissed(
                    FloorViolation(
                        module: measured.module.name, metric: metric, tally: tally, floor: floor,
                        shortfall: floor.shortfall(of: tally), files: measured.missedFiles(metric)
                    )
                )
            }
        }
    }
}

extension TestRun {
    /// The failed build, with the first error that says where, or else the first.
    fileprivate var buildViolation: Violation {
        let errors = diagnostics.filter { $0.severity == .error }
        return .buildFailed(errors: errors.count, first: errors.first { $0.location != nil } ?? errors.first)
    }

    /// Every test that fails the run, ordered by identity.
    fileprivate var testViolations: [Violation] {
        tests.filter(\.outcome.isFailure).sorted { $0.id < $1.id }
            .map { .testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure) }
    }

    /// Too few tests; a run without any is a gap, and says so once.
    fileprivate func minimumViolation(_ minimum: Int) -> [Violation] {
        let executed = outcomes.executed
        guard executed < minimum, executed > 0 || minimum > 1 else { return [] }
        return [.tooFewTests(executed: executed, minimum: minimum)]
    }
}
