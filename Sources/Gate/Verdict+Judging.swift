public import RunModel

extension Verdict {
    /// Judges a run by a policy and by the base it is compared with: one pure function for every surface.
    ///
    /// A gap makes the verdict undecided, whatever else holds; only a failed build is sure without further evidence.
    /// Violations are listed all the same, so that a person sees everything at once.
    ///
    /// - Parameters:
    ///   - past: What earlier runs say of `policy.testsWithPast(in: run)`.
    ///   - history: What earlier runs of the same sources covered. A run that fails a test or lacks evidence covers other
    ///     lines for that reason, so that nothing is read from it.
    ///   - comparison: What changed since the base; without one, rules on the change are a gap.
    ///   - earlier: How the run stood against its base when it was judged before, where nothing else is left of that.
    /// - Throws: `PolicyError` when the policy does not fit the package; then nothing is judged.
    public init(
        judging run: TestRun,
        by policy: Policy,
        past: PastResults = PastResults(),
        history: LineHistory = LineHistory(),
        against baseline: Baseline? = nil,
        changed comparison: ChangeComparison? = nil,
        before earlier: ChangeStanding? = nil
    ) throws(PolicyError) {
        var applied = AppliedPolicy(policy, of: run, against: baseline)
        let measured = MeasuredModule.all(of: run, isExcluded: applied.excludes)
        try policy.check(run, modules: measured, excludes: policy.excludes.map { Glob($0.pattern) })
        let quarantine = run.quarantine(under: applied.rules, past: past)
        let testViolations = run.testViolations(except: quarantine)
        let isSound = !run.buildFailed && !run.isPartial && run.gaps.isEmpty && testViolations.isEmpty
        let unstable = isSound ? history.unstable(among: measured.flatMap(\.files)).byPath : []
        let modules = measured.map { $0.taking(unstable, asCovered: false) }
        let lenient = measured.map { $0.taking(unstable, asCovered: true) }
        if !run.buildFailed, !run.isPartial { applied.applyRatchet(to: modules, lenient: lenient) }

        var gaps = run.gaps + applied.gaps
        var violations: [Violation] = []
        var change: ChangeStanding?
        if run.buildFailed {
            violations.append(run.buildViolation)
        }
        violations += testViolations
        violations += quarantine.compactMap { standing in
            standing.fault.map { .quarantineBroken(entry: standing.entry, fault: $0) }
        }
        if applied.rules.flaky == .fail { violations += run.flakyViolations(except: quarantine) }
        violations += run.budgetViolations(under: policy, past: past).map { .budgetExceeded($0) }
        if !run.buildFailed {
            gaps += run.missingResults
            // A part of the tests says nothing about how many there are and what all of them cover.
            if !run.isPartial {
                // A process that was cut short leaves no profile; the test that cut it short fails the run already.
                let isExplained = run.coverage == nil && violations.contains(where: \.isCutShort)
                let isCompared = comparison != nil || earlier != nil
                if !isExplained { gaps += run.missingCoverage(of: modules, by: applied, isCompared: isCompared) }
                violations += run.minimumViolation(applied.minimumTests)
                violations += Self.floorViolations(of: modules, lenient: lenient, by: applied)
                if let comparison, run.coverage != nil {
                    change = ChangeStanding(
                        comparison, run: run, modules: measured, unstable: unstable, policy: applied.rules,
                        isExcluded: applied.excludes)
                } else if var earlier, run.coverage != nil {
                    earlier.rule = applied.rules.patch
                    change = earlier
                }
                let findings = Self.coverageFindings(of: modules, by: applied.rules, change: change)
                violations += findings.violations.map { .coverageMissed($0) }
                gaps += findings.gaps
                gaps += Self.missingBase(applied.rules, of: baseline, isCompared: isCompared)
            }
        }
        let review = applied.review
        violations += review?.blocking.map(Violation.gateChange) ?? []

        self.init(
            decision: Self.decision(buildFailed: run.buildFailed, gaps: gaps, violations: violations),
            violations: violations, gaps: gaps,
            modules: modules.map { $0.standing(under: run.isPartial ? nil : applied) }, quarantine: quarantine,
            exclusions: run.coverage == nil ? [] : run.exclusions(under: policy, ages: baseline?.ages ?? []),
            unstable: unstable, change: change, policy: policy, base: review
        )
    }

    private static func decision(buildFailed: Bool, gaps: [Gap], violations: [Violation]) -> Decision {
        if buildFailed { return .failed }
        if !gaps.isEmpty { return .undecided }
        return violations.isEmpty ? .passed : .failed
    }

    /// The floors that are missed, by module in the order of the package, then by metric.
    ///
    /// - Parameter lenient: The same modules with unstable lines as covered: they are not what the ratchet is for.
    private static func floorViolations(
        of modules: [MeasuredModule], lenient: [MeasuredModule], by policy: AppliedPolicy
    ) -> [Violation] {
        zip(modules, lenient).filter { $0.0.notMeasurable == nil }.flatMap { strict, lenient -> [Violation] in
            let floors = policy.floors(for: strict.module.name)
            return CoverageMetric.allCases.compactMap { metric in
                let source = policy.source(of: metric, for: strict.module.name)
                let measured = source == .ratchet ? lenient : strict
                let tally = measured.tally(metric)
                guard let floor = floors[metric], tally.total > 0, !floor.isReached(by: tally) else { return nil }
                return .floorMissed(
                    FloorViolation(
                        module: measured.module.name, metric: metric, tally: tally, floor: floor,
                        shortfall: floor.shortfall(of: tally),
                        source: source.unlessHead,
                        files: measured.missedFiles(metric)
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

    /// Every test that fails the run, ordered by identity; in quarantine a failure does not.
    fileprivate func testViolations(except quarantine: [QuarantineStanding]) -> [Violation] {
        let exempt = Set(quarantine.filter(\.isInForce).compactMap(\.id))
        return failures.filter { !exempt.contains($0.id) }.sorted { $0.id < $1.id }
            .map { .testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure) }
    }

    /// Every test that failed before it passed, ordered by identity.
    fileprivate func flakyViolations(except quarantine: [QuarantineStanding]) -> [Violation] {
        let exempt = Set(quarantine.filter(\.isInForce).compactMap(\.id))
        return flakyTests.filter { !exempt.contains($0.id) }.sorted { $0.id < $1.id }
            .map { .testFlaky(id: $0.id, attempts: $0.attempts.count) }
    }

    /// Too few tests; a run without any is a gap, and says so once.
    fileprivate func minimumViolation(_ minimum: Int) -> [Violation] {
        let executed = outcomes.executed
        guard executed < minimum, executed > 0 || minimum > 1 else { return [] }
        return [.tooFewTests(executed: executed, minimum: minimum)]
    }
}

extension FloorSource {
    /// `nil` for what needs no saying.
    fileprivate var unlessHead: FloorSource? { self == .head ? nil : self }
}

extension Violation {
    /// Whether it is a test that took its process along.
    fileprivate var isCutShort: Bool {
        if case .testFailed(_, let outcome, _) = self { outcome == .crashed || outcome == .timedOut } else { false }
    }
}
