import RunModel

extension BaseComparison {
    /// Rules for single tests: what may fail for a time, and how long a test may take.
    mutating func compareTestRules(_ bar: Bar) {
        for entry in policy.quarantine {
            let old = bar.policy.quarantine.first { $0.test.utf8.elementsEqual(entry.test.utf8) }
            guard entry.expires > old?.expires ?? entry.expires || old == nil else { continue }
            note(
                GateChange(
                    .quarantineAdded, subject: entry.test, before: old.map { "until \($0.expires)" } ?? "none",
                    after: "until \(entry.expires)",
                    basePlace: old.flatMap { bar.place(of: "tests.quarantine.\($0.test)") },
                    place: baseline.head.place(of: "tests.quarantine.\(entry.test)")))
        }
        for rule in bar.policy.budgets {
            let new = policy.budgets.first { $0.pattern.utf8.elementsEqual(rule.pattern.utf8) }
            guard new.map({ $0.bound > rule.bound }) ?? true else { continue }
            note(
                GateChange(
                    .budgetRaised, subject: rule.pattern, before: "\(rule.bound)",
                    after: new.map { "\($0.bound)" } ?? "none",
                    basePlace: bar.place(of: "tests.budgets.\(rule.pattern)"),
                    place: baseline.head.place(of: "tests.budgets.\(rule.pattern)")))
        }
    }

    /// The rules beside the floors of modules that hold: the base's, where a change of them has no waiver.
    var rules: Policy {
        var rules = policy
        guard let bar = baseline.bar else { return rules }
        rules.quarantine = policy.quarantine.compactMap { entry in
            let isChange = changes.contains { $0.code == .quarantineAdded && $0.subject == entry.test }
            guard isChange, !isWaived(.quarantineAdded, about: entry.test) else { return entry }
            return bar.policy.quarantine.first { $0.test.utf8.elementsEqual(entry.test.utf8) }
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
