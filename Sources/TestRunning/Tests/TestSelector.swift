import Evidence
public import RunModel

/// Which of the discovered tests a run runs.
struct TestSelector {
    private let selection: Selection
    private let disabledModules: Set<String>
    private let wantedModules: Set<String>?
    private let rerun: Set<TestID>?
    private let filters: [Regex<AnyRegexOutput>]
    private let skips: [Regex<AnyRegexOutput>]
    private let split: ShardAssignment

    /// - Parameters:
    ///   - rerun: The tests that failed in the run of which they are to be run again.
    ///   - split: How tests fall to shards.
    init(
        _ selection: Selection,
        modules: [Module],
        rerun: [TestID]?,
        split: ShardAssignment = .byHash
    ) throws(RunnerError) {
        self.selection = selection
        self.split = split
        let disabled = modules.filter { selection.disabledTargets.contains($0.name) }
        disabledModules = Set(disabled.map(\.compilerName))
        wantedModules = selection.targets.map { wanted in
            Set(modules.filter { wanted.contains($0.name) }.map(\.compilerName))
        }
        self.rerun = selection.rerunOf == nil ? nil : Set(rerun ?? [])
        filters = try selection.filters.map(Selection.expression)
        skips = try selection.skips.map(Selection.expression)
    }

    /// The tests to run; `nil` for every one of them.
    func select(_ discovered: DiscoveredTests) -> [DiscoveredTests.Entry]? {
        var chosen = discovered.entries.filter(includes)
        if let shard = selection.shard {
            let own = Set(split.tests(of: shard, among: chosen.map(\.id)))
            chosen = chosen.filter { own.contains($0.id) }
        }
        return chosen.count == discovered.entries.count ? nil : chosen
    }

    private func includes(_ test: DiscoveredTests.Entry) -> Bool {
        if disabledModules.contains(test.id.module) { return false }
        if let wantedModules, !wantedModules.contains(test.id.module) { return false }
        if let rerun, !rerun.contains(test.id) { return false }
        let text = test.id.path
        return (filters.isEmpty || filters.contains { text.contains($0) }) && !skips.contains { text.contains($0) }
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
