import RunModel

extension GateChangeCode {
    static let excludeAdded = GateChangeCode(
        "exclude-added", "A new pattern takes files out of the coverage that counted at the base.")
    static let excludeWidened = GateChangeCode(
        "exclude-widened", "A changed pattern takes more files out of the coverage than at the base.")
}

/// What counted at the base counts; `AppliedPolicy` sees to that, so that only the change itself is a violation.
enum Excludes: Rule {
    static let code = "excludes"
    static let changes: [GateChangeCode] = [.excludeAdded, .excludeWidened]

    static func demands(of policy: Policy) -> [Demand] {
        policy.excludes.map { Demand(name: "Without \($0.pattern)", words: $0.reason ?? "no reason is given") }
    }

    /// Patterns that take out files which counted at the base.
    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings else { return }
        let taken = TakenFiles(of: comparison.run, by: comparison.policy.excludes, against: settings.policy.excludes)
        for (index, pattern) in taken.new.enumerated() {
            guard let files = taken.files[index] else { continue }
            let widened = taken.widened(to: index)
            comparison.note(
                widened.isEmpty ? .excludeAdded : .excludeWidened, about: pattern,
                before: widened.isEmpty ? "none" : widened.joined(separator: ", "), after: pattern,
                items: files.sorted { Name($0) < Name($1) },
                baseKey: widened.first.map { "coverage.exclude.\($0)" } ?? "", key: "coverage.exclude.\(pattern)")
        }
    }
}
