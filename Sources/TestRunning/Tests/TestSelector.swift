public import RunModel
import TestResults

/// Which of the discovered tests a run runs.
struct TestSelector {
    private let selection: Selection
    private let disabledModules: Set<String>
    private let wantedModules: Set<String>?
    private let rerun: Set<TestID>?
    private let filters: [TestPattern]
    private let skips: [TestPattern]
    private let split: ShardAssignment
    private let deselected: Set<TestID>

    /// - Parameters:
    ///   - rerun: The tests that failed in the run of which they are to be run again.
    ///   - split: How tests fall to shards.
    ///   - deselected: Tests that a change cannot break.
    init(
        _ selection: Selection,
        modules: [Module],
        rerun: [TestID]?,
        split: ShardAssignment = .byHash,
        deselected: Set<TestID> = []
    ) throws(RunnerError) {
        self.selection = selection
        self.split = split
        self.deselected = deselected
        let disabled = modules.filter { selection.disabledTargets.contains($0.name) }
        disabledModules = Set(disabled.map(\.compilerName))
        wantedModules = selection.targets.map { wanted in
            Set(modules.filter { wanted.contains($0.name) }.map(\.compilerName))
        }
        self.rerun = selection.rerunOf == nil ? nil : Set(rerun ?? [])
        filters = try selection.filters.map(TestPattern.init)
        skips = try selection.skips.map(TestPattern.init)
    }

    /// The tests to run; `nil` for every one of them.
    func select(_ discovered: DiscoveredTests) -> [DiscoveredTests.Entry]? {
        let wanted = filters.isEmpty ? nil : tests(of: filters, among: discovered)
        let unwanted = tests(of: skips, among: discovered)
        var chosen = discovered.entries.filter { test in
            belongs(test) && wanted?.contains(test.id) ?? true && !unwanted.contains(test.id)
        }
        if let shard = selection.shard {
            let own = Set(split.tests(of: shard, among: chosen.map(\.id)))
            chosen = chosen.filter { own.contains($0.id) }
        }
        return chosen.count == discovered.entries.count ? nil : chosen
    }

    /// What is to be told of expressions that match no identity, but display names.
    func titleWords(_ discovered: DiscoveredTests) -> [String] {
        (filters + skips).compactMap { pattern in
            let meant = pattern.tests(among: discovered)
            guard meant.isByTitle, let first = meant.tests.first else { return nil }
            let more = meant.tests.count - 1
            return "'\(pattern.text)' matches no identity, but the display name of \(first.id)"
                + (more > 0 ? " and \(more) more" : "")
        }
    }

    private func tests(of patterns: [TestPattern], among discovered: DiscoveredTests) -> Set<TestID> {
        Set(patterns.flatMap { $0.tests(among: discovered).tests.map(\.id) })
    }

    private func belongs(_ test: DiscoveredTests.Entry) -> Bool {
        if disabledModules.contains(test.id.module) { return false }
        if deselected.contains(test.id) { return false }
        if let wantedModules, !wantedModules.contains(test.id.module) { return false }
        return rerun?.contains(test.id) ?? true
    }
}

/// An expression that tests are picked by.
private struct TestPattern {
    let text: String
    private let expression: Regex<AnyRegexOutput>

    init(_ text: String) throws(RunnerError) {
        self.text = text
        expression = try Selection.expression(text)
    }

    /// The tests in whose identity it is found; where there is none, those in whose title it is found, as an expression or
    /// as it is written. Both compare canonically equivalent spellings as equal.
    func tests(among discovered: DiscoveredTests) -> (tests: [DiscoveredTests.Entry], isByTitle: Bool) {
        let byPath = discovered.entries.filter { $0.id.path.contains(expression) }
        guard byPath.isEmpty else { return (byPath, false) }
        return (
            discovered.entries.filter { $0.title.map { $0.contains(expression) || $0.contains(text) } ?? false }, true
        )
    }
}

extension TestID {
    /// What filters are searched in: `Module.Suite/Nested/test`, without the file that SwiftPM searches as well.
    var path: String { suite.isEmpty ? "\(module).\(name)" : "\(module).\(suite)/\(name)" }
}

extension Selection {
    /// Reads a filter.
    ///
    /// - Throws: `RunnerError.invalidFilter` for what is no regular expression.
    static func expression(_ text: String) throws(RunnerError) -> Regex<AnyRegexOutput> {
        do {
            return try Regex(text)
        } catch {
            throw .invalidFilter(text: text, reason: "\(error)")
        }
    }

    /// Looks at the filters before anything is built.
    public func checkFilters() throws(RunnerError) {
        for text in filters + skips { _ = try Self.expression(text) }
    }
}
