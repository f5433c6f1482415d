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
        let (run, policy) = (comparison.run, comparison.policy)
        let paths = run.modules.flatMap(\.sourcePaths) + (run.coverage?.files.map(\.path) ?? [])
        let old = settings.policy.excludes
        let dropped = old.filter { exclude in
            !policy.excludes.contains { Name($0.pattern) == Name(exclude.pattern) }
        }
        for exclude in policy.excludes
        where !old.contains(where: { Name($0.pattern) == Name(exclude.pattern) }) {
            let glob = Glob(exclude.pattern)
            var seen: Set<Name> = []
            let taken = paths.filter { path in
                glob.matches(path) && !old.contains { Glob($0.pattern).matches(path) }
                    && seen.insert(Name(path)).inserted
            }
            guard !taken.isEmpty else { continue }
            let widened = dropped.filter { old in
                let covered = paths.filter(Glob(old.pattern).matches)
                return !covered.isEmpty && covered.allSatisfy(glob.matches)
            }
            comparison.note(
                widened.isEmpty ? .excludeAdded : .excludeWidened, about: exclude.pattern,
                before: widened.isEmpty ? "none" : widened.map(\.pattern).joined(separator: ", "),
                after: exclude.pattern, items: taken.sorted { Name($0) < Name($1) },
                baseKey: widened.first.map { "coverage.exclude.\($0.pattern)" } ?? "",
                key: "coverage.exclude.\(exclude.pattern)")
        }
    }
}
