import RunModel

extension BaseComparison {
    /// Rules for single tests: what may fail for a time, and how long a test may take.
    mutating func compareTestRules(_ bar: Bar) {
        for entry in policy.quarantine {
            let old = bar.policy.quarantine.first { Name($0.test) == Name(entry.test) }
            guard entry.expires > old?.expires ?? entry.expires || old == nil else { continue }
            note(
                GateChange(
                    .quarantineAdded, subject: entry.test, before: old.map { "until \($0.expires)" } ?? "none",
                    after: "until \(entry.expires)",
                    basePlace: old.flatMap { bar.place(of: "tests.quarantine.\($0.test)") },
                    place: baseline.head.place(of: "tests.quarantine.\(entry.test)")))
        }
        compareBudgets(bar)
    }

    /// Time bounds that are higher than at the base, or gone.
    ///
    /// The first rule that matches a test is the one that binds it, so what a rule of the base has become is told by the
    /// rules that its tests fall to now, wherever they stand. Of a rule for no test of the run only its pattern can tell.
    private mutating func compareBudgets(_ bar: Bar) {
        let (old, new) = (bar.policy.budgets, policy.budgets)
        let isSame = old.elementsEqual(new) { $0.bound == $1.bound && Name($0.pattern) == Name($1.pattern) }
        guard !isSame else { return }
        let tests = run.tests.map(\.id)
        // By rule of the base: what binds its tests now; `nil` is nothing.
        var bindings: [[BudgetRule?]] = old.map { _ in [] }
        for test in tests {
            guard let index = old.firstIndex(where: { $0.matches(test) }) else { continue }
            bindings[index].append(new.first { $0.matches(test) })
        }
        for (rule, binding) in zip(old, bindings) {
            let twin = new.first { Name($0.pattern) == Name(rule.pattern) }
            var now = binding
            if binding.isEmpty {
                if !tests.contains(where: { rule.matches($0) }) { now = [twin] }
            } else if let twin, twin.bound > rule.bound {
                // The tests of today may have rules of their own in front; those of tomorrow fall to this one.
                now.append(twin)
            }
            let laxer = now.filter { $0.map { $0.bound > rule.bound } ?? true }
            guard !laxer.isEmpty else { continue }
            let bounds = laxer.compactMap(\.self)
            let laxest = bounds.count < laxer.count ? nil : bounds.max { $0.bound < $1.bound }
            note(
                GateChange(
                    .budgetRaised, subject: rule.pattern, before: "\(rule.bound)",
                    after: laxest.map { "\($0.bound)" } ?? "none",
                    basePlace: bar.place(of: "tests.budgets.\(rule.pattern)"),
                    place: baseline.head.place(of: "tests.budgets.\((laxest ?? rule).pattern)")))
        }
    }

    /// The rules beside the floors of modules that hold: the base's, where a change of them has no waiver.
    var rules: Policy {
        var rules = policy
        guard let bar = baseline.bar else { return rules }
        rules.quarantine = policy.quarantine.compactMap { entry in
            let isChange = changes.contains { $0.code == .quarantineAdded && $0.subject == entry.test }
            guard isChange, !isWaived(.quarantineAdded, about: entry.test) else { return entry }
            return bar.policy.quarantine.first { Name($0.test) == Name(entry.test) }
        }
        if bar.policy.flaky == .fail, !isWaived(.flakyTolerated, about: BarLimit.Rule.flaky.rawValue) {
            rules.flaky = .fail
        }
        rules.patch = patchRule(bar)
        let project = ProjectRule(
            line: stricter(.project, policy.project?.line, bar.policy.project?.line),
            mayDrop: stricter(.projectDrop, policy.project?.mayDrop, bar.policy.project?.mayDrop))
        rules.project = project == ProjectRule() ? nil : project
        rules.fileFloor = stricter(.files, policy.fileFloor, bar.policy.fileFloor)
        return rules
    }

    private func patchRule(_ bar: Bar) -> PatchRule? {
        guard let base = bar.policy.patch,
            let line = stricter(.patch, policy.patch?.line, base.line)
        else { return policy.patch }
        guard var rule = policy.patch else { return base }
        rule.line = line
        if isApplied(.patchMinimum) { rule.minimumLines = min(rule.minimumLines, base.minimumLines) }
        return rule
    }

    /// The base's value where that of the run is laxer and has no waiver.
    private func stricter(_ rule: BarLimit.Rule, _ own: Percentage?, _ base: Percentage?) -> Percentage? {
        isApplied(rule) ? base : own
    }

    /// Whether a limit of the base holds although the run's settings have a laxer one.
    private func isApplied(_ rule: BarLimit.Rule) -> Bool {
        changes.contains { $0.code == rule.code && $0.subject == rule.rawValue && $0.waiver == nil }
    }
}
