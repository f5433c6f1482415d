public import RunModel

extension Policy {
    /// Checks every rule and every exclude against a run.
    ///
    /// The files of a package are those of its targets and those that the coverage names, for a line directive can name
    /// a file that is none of a target's sources. Without the coverage nothing can be said of an exclude.
    func check(_ run: TestRun, modules: [MeasuredModule]) throws(PolicyError) {
        let measured = Dictionary(modules.map { (Name($0.module.name), $0) }) { first, _ in first }
        try checkRules(against: run.modules.filter { $0.kind == .test } + modules.map(\.module)) { module in
            measured[Name(module.name)]?.notMeasurable ?? module.reasonNotMeasurable
        }
        try checkBudgets(run)
        // Of a run that names no target nobody knows the files.
        let isKnown = !run.modules.isEmpty && modules.allSatisfy { $0.notMeasurable != nil }
        guard run.coverage != nil || isKnown, !run.buildFailed else { return }
        let paths = run.modules.flatMap(\.sourcePaths) + (run.coverage?.files.map(\.path) ?? [])
        if let error = excludesWithoutFile(among: paths, most: 1).first { throw error }
    }

    /// The excludes that match no source of the targets as they are now, each with what is probably meant.
    ///
    /// A run may still know a file for one of them: scripts and the build make sources, and the coverage can name a file that
    /// no target lists.
    public func excludesWithoutFile(in modules: [Module]) -> [PolicyError] {
        excludesWithoutFile(among: modules.flatMap(\.sourcePaths), most: .max)
    }

    /// The first `most` excludes that match no file; the first few with what was probably meant.
    private func excludesWithoutFile(among paths: [String], most: Int) -> [PolicyError] {
        let isMatching = PatternSet(excludes.map(\.pattern)).areMatching(paths)
        let wrong = zip(excludes.map(\.pattern), isMatching).filter { $0 != "*" && !$1 }.map(\.0).prefix(most)
        return wrong.enumerated().map { index, pattern in
            .excludeMatchesNothing(
                pattern: pattern, suggestion: index < 3 ? Self.suggestion(for: pattern, among: paths) : nil)
        }
    }

    /// A pattern that matches something and is probably meant: a folder without `/**`, a path that is not from the
    /// package's root, or the nearest spelling.
    private static func suggestion(for pattern: String, among paths: [String]) -> String? {
        var trimmed = Substring(pattern)
        while trimmed.hasPrefix("./") { trimmed = trimmed.dropFirst(2) }
        while trimmed.hasPrefix("/") { trimmed = trimmed.dropFirst() }
        while trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
        guard !trimmed.isEmpty else { return nil }
        let variants = ["\(trimmed)", "\(trimmed)/**", "**/\(trimmed)", "**/\(trimmed)/**"]
        let isMatching = PatternSet(variants).areMatching(paths)
        if let variant = zip(variants, isMatching).first(where: \.1)?.0 { return variant }
        return Spelling.nearest(to: pattern, among: paths + folders(of: paths).map { "\($0)/**" })
    }

    private static func folders(of paths: [String]) -> [String] {
        var folders: [String] = []
        var known: Set<Name> = []
        for path in paths {
            var rest = Substring(path)
            while let slash = rest.lastIndex(of: "/") {
                rest = rest[..<slash]
                guard known.insert(Name(rest)).inserted else { break }
                folders.append(String(rest))
            }
        }
        return folders
    }

    /// Checks every budget against the tests of a run; a part of the tests, or tests that were not listed, prove no pattern
    /// wrong, nor does a test target that is switched off where its tests may be meant.
    private func checkBudgets(_ run: TestRun) throws(PolicyError) {
        guard !budgets.isEmpty, !run.isPartial, !run.buildFailed, !run.tests.isEmpty,
            !run.gaps.contains(where: { $0.code == .listUnavailable })
        else { return }
        let isMatching = PatternSet(budgets.map(\.pattern)).areMatching(
            run.tests.lazy.map(\.id.budgetPath), withFolders: true)
        guard isMatching.contains(false) else { return }
        let mayMatch = PatternSet(budgets.map(\.target)).areMatching(run.disabledModules)
        for (index, rule) in budgets.enumerated() where !isMatching[index] && !mayMatch[index] {
            let names = run.tests.flatMap { test in
                [test.id.module, "\(test.id.module)/\(test.id.suite)", "\(test.id.module)/\(test.id.qualifiedName)"]
            }
            throw .budgetMatchesNothing(
                pattern: rule.pattern, suggestion: Spelling.nearest(to: rule.pattern, among: names))
        }
    }
}
