import RunModel

extension GateChangeCode {
    static let excludeAdded = GateChangeCode(
        "exclude-added", "A new pattern takes files out of the coverage that counted at the base.")
    static let excludeWidened = GateChangeCode(
        "exclude-widened", "A changed pattern takes more files out of the coverage than at the base.")
    static let codeMovedIntoExclude = GateChangeCode(
        "code-moved-into-exclude",
        "Code that counted at the base lies in files now that a pattern takes out of the coverage.")
}

/// What counted at the base counts; `AppliedPolicy` sees to that, so that only the change itself is a violation.
enum Excludes: Rule {
    static let code = "excludes"
    static let changes: [GateChangeCode] = [.excludeAdded, .excludeWidened, .codeMovedIntoExclude]

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
        compareMoves(&comparison, old.map { Glob($0.pattern) })
    }

    /// Files and lines that counted at the base, and are where a pattern takes them out now.
    private static func compareMoves(_ comparison: inout BaseComparison, _ old: [Glob]) {
        let sources = Set(comparison.run.modules.filter { $0.kind != .test }.flatMap(\.sourcePaths).map { Name($0) })
        for exclude in comparison.policy.excludes {
            let glob = Glob(exclude.pattern)
            let moves = comparison.files.flatMap { change -> [String] in
                guard let path = change.path, sources.contains(Name(path)), glob.matches(path) else { return [] }
                let origins = [change.basePath].compactMap(\.self) + change.moved.map(\.basePath)
                let counted = Set(origins.filter { from in !old.contains { $0.matches(from) } }.map { Name($0) })
                return counted.sorted().filter { $0 != Name(path) }.map { "\($0.text) → \(path)" }
            }
            guard !moves.isEmpty else { continue }
            comparison.note(
                .codeMovedIntoExclude, about: exclude.pattern, before: "counted", after: "excluded", items: moves,
                key: "coverage.exclude.\(exclude.pattern)")
        }
    }
}
