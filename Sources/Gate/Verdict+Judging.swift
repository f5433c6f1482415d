public import RunModel

extension Verdict {
    /// Judges a run by a policy and by the base it is compared with: one pure function for every surface.
    ///
    /// A gap makes the verdict undecided, whatever else holds; only a failed build is sure without further evidence.
    /// Violations are listed anyway, so that a person sees everything at once.
    ///
    /// - Parameters:
    ///   - past: What earlier runs say of `policy.testsWithPast(in: run)`.
    ///   - history: What earlier runs of the same sources covered. A run that fails a test or lacks evidence covers other
    ///     lines for that reason, so that nothing is read from it.
    ///   - comparison: What changed since the base; without one, rules on the change are a gap.
    ///   - deselected: What the tests executed in an earlier run that this one left out; nothing is judged by it.
    ///   - authors: Who changed the lines last at which tests failed; nothing is judged by it.
    ///   - probation: What came of new and changed tests that were repeated.
    ///   - causes: Why tests failed; nothing is judged by it, unless the settings let failures of the base pass, and nothing is told of it
    ///     against another base.
    ///   - earlier: How the run stood against its base when it was judged before, where nothing else is left of that.
    /// - Throws: `PolicyError` when the policy does not fit the package; then nothing is judged.
    public init(
        judging run: TestRun,
        by policy: Policy,
        past: PastResults = PastResults(),
        history: LineHistory = LineHistory(),
        against baseline: Baseline? = nil,
        changed comparison: ChangeComparison? = nil,
        with deselected: DeselectedLines? = nil,
        authors: FailureAuthors? = nil,
        probation: Probation? = nil,
        causes: FailureCauses? = nil,
        before earlier: ChangeStatus? = nil
    ) throws(PolicyError) {
        var applied = AppliedPolicy(policy, of: run, against: baseline, changed: comparison?.changes ?? [])
        let measured = MeasuredModule.all(of: run, isExcluded: applied.excludes)
        try policy.check(run, modules: measured)
        let quarantine = run.quarantine(under: applied.rules, past: past)
        let exempt = Set(quarantine.filter(\.isInForce).compactMap(\.id))
        let allowedFailures = AllowedFailure.all(of: run, by: applied.rules, against: baseline, causes)
            .filter { !exempt.contains($0.test) }
        let allowed = Set(allowedFailures.map(\.test))
        let isWhole = !run.buildFailed && !run.isPartial
        let isSound =
            isWhole && run.gaps.isEmpty
            && run.failures.allSatisfy { exempt.contains($0.id) || allowed.contains($0.id) }
        let unstable = isSound ? history.unstable(among: measured.flatMap(\.files)).byPath : []
        let modules = measured.map { $0.taking(unstable, asCovered: false) }
        let lenient = measured.map { $0.taking(unstable, asCovered: true) }
        if isWhole { applied.applyRatchet(to: modules, lenient: lenient) }
        var change: ChangeStatus?
        if isWhole, run.coverage != nil {
            if let comparison {
                change = ChangeStatus(
                    comparison, run: run, modules: measured, unstable: unstable, package: baseline?.basePackage,
                    policy: applied.rules,
                    isExcluded: applied.excludes)
            } else {
                change = earlier
                change?.rule = applied.rules.patch
            }
        }
        let input = RuleInput(
            run: run, applied: applied, modules: modules, lenient: lenient, quarantine: quarantine,
            allowed: allowed, past: past, probation: probation, change: change,
            isCompared: comparison != nil || earlier != nil)
        var findings = Findings(gaps: run.gaps + applied.gaps)
        if !run.buildFailed { findings.gaps += run.missingResults }
        // A process that was cut short leaves no profile; the test that cut it short fails the run already.
        if isWhole, !input.isCutShort { findings.gaps += run.missingCoverage(of: modules, by: applied) }
        for rule in Rules.all { rule.judge(input, into: &findings) }
        if let gap = Self.missingBase(for: findings.needsBase, of: baseline) { findings.gaps.append(gap) }

        self.init(
            decision: Self.decision(
                buildFailed: run.buildFailed, gaps: findings.gaps, violations: findings.violations),
            violations: findings.violations, gaps: findings.gaps,
            modules: modules.map { $0.status(under: run.isPartial ? nil : applied) }, quarantine: quarantine,
            exclusions: run.coverage == nil ? [] : run.exclusions(under: policy, ages: baseline?.ages ?? []),
            unstable: unstable, change: change,
            failureOrigins: FailureOrigin.all(of: run, past: past, against: baseline),
            estimate: deselected.flatMap { CoverageEstimate(of: run, measured, with: $0) }, policy: policy,
            base: applied.review, owners: baseline?.owners, authors: authors, probation: probation,
            causes: causes?.against(baseline), allowedFailures: allowedFailures
        )
        guard let others = baseline?.others, !others.isEmpty else { return }
        var known = Known(violations: Set(violations), gaps: Set(gaps))
        for other in others {
            add(
                try Verdict(
                    judging: run, by: policy, past: past, history: history, against: other.baseline,
                    changed: other.comparison, probation: probation), &known)
        }
        orderViolations()
    }

    /// What a verdict has already, so that the findings against another base are looked up and not searched for.
    private struct Known {
        var violations: Set<Violation>
        var gaps: Set<Gap>
    }

    /// Adds what the same run is judged against another base: each rule holds as strictly as any base has it.
    private mutating func add(_ other: Verdict, _ known: inout Known) {
        for violation in other.violations where known.violations.insert(violation).inserted {
            violations.append(violation)
        }
        for gap in other.gaps where known.gaps.insert(gap).inserted { gaps.append(gap) }
        for index in modules.indices where other.modules.indices.contains(index) {
            for metric in CoverageMetric.allCases {
                guard let floor = other.modules[index].floors[metric] else { continue }
                modules[index].floors[metric] = max(modules[index].floors[metric] ?? floor, floor)
            }
        }
        // A failed build is one against every base.
        let decisions = [decision, other.decision]
        decision = decisions.contains(.undecided) ? .undecided : decisions.contains(.failed) ? .failed : .passed
        if let review = other.base {
            let others = (base?.others ?? []) + [review]
            if base == nil { base = review } else { base?.others = others }
        }
    }

    /// Orders the violations by rule; those of one rule stay as they were found.
    private mutating func orderViolations() {
        let places = Rules.all.map { $0.code }
        func place(_ violation: Violation) -> Int { places.firstIndex(of: violation.rule) ?? places.count }
        violations = violations.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }

    private static func decision(buildFailed: Bool, gaps: [Gap], violations: [Violation]) -> Decision {
        if buildFailed { return .failed }
        if !gaps.isEmpty { return .undecided }
        return violations.isEmpty ? .passed : .failed
    }

    /// The gap for settings that need a base, where nobody knows one.
    private static func missingBase(for keys: [String], of baseline: Baseline?) -> Gap? {
        // Where nothing stood before there is nothing to miss, and what could not be found out is told already.
        guard baseline?.absence == nil, baseline?.gaps.contains(where: { $0.code == .baseUnknown }) != true,
            let last = keys.last
        else { return nil }
        let others = keys.dropLast().joined(separator: ", ")
        let (names, need) = others.isEmpty ? (last, "needs") : ("\(others) and \(last)", "need")
        return Gap(.baseUnknown, detail: "the run was not compared with a base, which \(names) \(need)")
    }
}
