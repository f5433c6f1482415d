public import RunModel

extension Policy {
    /// Checks every rule and every exclude against a run.
    ///
    /// The files of a package are those of its targets and those that the coverage names, for a line directive can name
    /// a file that is none of a target's sources. Without the coverage nothing can be said of an exclude.
    func check(_ run: TestRun, modules: [MeasuredModule], excludes: [Glob]) throws(PolicyError) {
        try checkRules(against: run.modules.filter { $0.kind == .test } + modules.map(\.module)) { module in
            modules.first { Name($0.module.name) == Name(module.name) }?.notMeasurable
                ?? module.reasonNotMeasurable
        }
        try checkBudgets(run)
        // Of a run that names no target nobody knows the files.
        let isKnown = !run.modules.isEmpty && modules.allSatisfy { $0.notMeasurable != nil }
        guard run.coverage != nil || isKnown, !run.buildFailed else { return }
        let paths = run.modules.flatMap(\.sourcePaths) + (run.coverage?.files.map(\.path) ?? [])
        if let error = Self.excludesWithoutFile(excludes, among: paths).first { throw error }
    }

    /// The excludes that match no source of the targets as they are now, each with what is probably meant.
    ///
    /// A run may still know a file for one of them: scripts and the build make sources, and the coverage can name a file that
    /// no target lists.
    public func excludesWithoutFile(in modules: [Module]) -> [PolicyError] {
        Self.excludesWithoutFile(excludes.map { Glob($0.pattern) }, among: modules.flatMap(\.sourcePaths))
    }

    private static func excludesWithoutFile(_ excludes: [Glob], among paths: [String]) -> [PolicyError] {
        excludes.filter { $0.pattern != "*" && !paths.contains(where: $0.matches) }.map { exclude in
            .excludeMatchesNothing(
                pattern: exclude.pattern, suggestion: suggestion(for: exclude.pattern, among: paths))
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
        if let variant = variants.first(where: { paths.contains(where: Glob($0).matches) }) { return variant }
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
        let tests = run.tests
        let off = run.disabledModules
        for rule in budgets
        where !tests.contains(where: { rule.matches($0.id) }) && !off.contains(where: rule.mayBeFor(module:)) {
            let names = tests.flatMap { test in
                [test.id.module, "\(test.id.module)/\(test.id.suite)", "\(test.id.module)/\(test.id.qualifiedName)"]
            }
            throw .budgetMatchesNothing(
                pattern: rule.pattern, suggestion: Spelling.nearest(to: rule.pattern, among: names))
        }
    }
}
