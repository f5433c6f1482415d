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
        let taken = NewlyExcludedFiles(
            of: comparison.run, by: comparison.policy.excludes, against: settings.policy.excludes)
        for (index, pattern) in taken.new.enumerated() {
            guard let files = taken.files[index] else { continue }
            let widened = taken.widened(to: index)
            comparison.note(
                widened.isEmpty ? .excludeAdded : .excludeWidened, about: pattern,
                before: widened.isEmpty ? "none" : widened.joined(separator: ", "), after: pattern,
                items: files.sorted { Name($0) < Name($1) },
                baseKey: widened.first.map { "coverage.exclude.\($0)" } ?? "", key: "coverage.exclude.\(pattern)")
        }
        compareMoves(&comparison, since: settings.policy.excludes.map(\.pattern))
    }

    /// Files and lines that counted at the base, and are where a pattern takes them out now.
    ///
    /// - Parameter excluded: The patterns of the base.
    private static func compareMoves(_ comparison: inout BaseComparison, since excluded: [String]) {
        let patterns = comparison.policy.excludes.map(\.pattern)
        let (now, before) = (PatternSet(patterns), PatternSet(excluded))
        let sources = Set(comparison.run.modules.filter { $0.kind != .test }.flatMap(\.sourcePaths).map { Name($0) })
        var moves: [Int: [String]] = [:]
        for change in comparison.files {
            // A file is reported once, with the first pattern that takes it.
            guard let path = change.path, sources.contains(Name(path)), let pattern = now.first(for: path) else {
                continue
            }
            let origins = [change.basePath].compactMap(\.self) + change.moved.map(\.basePath)
            let counted = Set(origins.filter { !before.matches($0) }.map { Name($0) }).subtracting([Name(path)])
            moves[pattern, default: []] += counted.sorted().map { "\($0.text) → \(path)" }
        }
        for (index, moves) in moves.sorted(by: { $0.key < $1.key }) where !moves.isEmpty {
            comparison.note(
                .codeMovedIntoExclude, about: patterns[index], before: "counted", after: "excluded", items: moves,
                key: "coverage.exclude.\(patterns[index])")
        }
    }
}
