/// Every rule of the gate, in the order in which violations are listed: the gravest first.
public enum Rules {
    static let all: [any Rule.Type] = [
        BuildRule.self, FailedTests.self, SanitizerReports.self, Quarantine.self, FlakyTests.self,
        ProbationTests.self, Budgets.self,
        MinimumTests.self,
        SkippedTests.self, Warnings.self, ModuleFloors.self, PatchFloor.self, ProjectFloor.self, ProjectDrop.self,
        FileFloor.self,
        Ratchet.self, Excludes.self, Targets.self, LostTests.self, RaisedLimits.self, RunSetup.self,
        SettingsIdentity.self, UnwaivedGateChanges.self,
    ]

    /// The violations in a few words each, grouped by rule; may hold untrusted text.
    public static func headline(_ violations: [Violation]) -> [String] {
        all.flatMap { rule in
            let own = violations.filter { $0.rule == rule.code }
            return own.isEmpty ? [] : rule.headline(own)
        }
    }

    /// The number of violations of each rule that is shown to people, by the rule's code.
    public static func counts(_ violations: [Violation]) -> [String: Int] {
        let byRule = Dictionary(grouping: violations, by: \.rule)
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { rule in byRule[rule.code].map { (rule.code, rule.count($0)) } })
    }

    /// Counts of violations in a few words each, in the order of the rules.
    public static func summary(_ counts: [String: Int]) -> [String] {
        all.compactMap { rule in counts[rule.code].map(rule.summary) }
    }
}
