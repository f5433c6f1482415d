public import Gate
public import RunModel

extension RunStore {
    /// What changed from `first` to `second`; both must belong to one project.
    ///
    /// A partial run says nothing about other tests and about the coverage of modules; nor does a run whose build
    /// failed.
    public func compare(_ first: RunID, _ second: RunID) throws(StorageError) -> RunComparison {
        try read { connection in
            let keys = (
                before: try connection.key(of: first, path: path), after: try connection.key(of: second, path: path)
            )
            guard keys.before.project == keys.after.project else {
                throw StorageError.differentProjects(first, second)
            }
            let summaries = try [first, second].map { id in
                guard let summary = try connection.summary(of: id) else {
                    throw StorageError.unknownRun(path: path, id: id)
                }
                return summary
            }
            let (before, after) = (summaries[0], summaries[1])
            let isPart = (
                before: before.isPartial || before.isUntested, after: after.isPartial || after.isUntested
            )
            let reading = ResultReading(connection)
            let results = (before: try reading.results(keys.before.id), after: try reading.results(keys.after.id))
            var comparison = RunComparison(
                before: before, after: after,
                tests: try connection.changes(from: results.before, to: results.after, isPart),
                slower: try connection.slower(from: results.before, to: results.after))
            guard !isPart.before, !isPart.after else { return comparison }
            comparison.modules = Self.changes(
                from: try connection.measuredModules(keys.before.id), to: try connection.measuredModules(keys.after.id)
            )
            return comparison
        }
    }

    private static func changes(
        from before: [(name: String, lines: CoverageTally)], to after: [(name: String, lines: CoverageTally)]
    ) -> [ModuleChange] {
        let known = Dictionary(before.map { (Name($0.name), $0.lines) }) { first, _ in first }
        let common = after.map { module in
            ModuleChange(module: module.name, before: known[Name(module.name)], after: module.lines)
        }
        let there = Set(after.map { Name($0.name) })
        let gone = before.filter { !there.contains(Name($0.name)) }
        return common + gone.map { ModuleChange(module: $0.name, before: $0.lines, after: nil) }
    }
}

extension Connection {
    /// The measured modules of a run in the order of its package.
    fileprivate func measuredModules(_ run: Int64) throws -> [(name: String, lines: CoverageTally)] {
        try VerdictStorage(self).modules(run).filter { $0.notMeasurable == nil }.map { ($0.module, $0.lines) }
    }

    /// The tests whose outcome differs in two runs, or that fail in the second; removed tests come last.
    ///
    /// - Parameter isPart: Whether each run is partial or did not run any test; then tests that it lacks are left
    ///   out.
    fileprivate func changes(
        from old: StoredResults, to new: StoredResults, _ isPart: (before: Bool, after: Bool)
    ) throws -> [ChangedTest] {
        var gone = Dictionary(zip(old.tests, old.endings)) { first, _ in first }
        var changes: [ChangedTest] = []
        for (test, byte) in zip(new.tests, new.endings) {
            let last = gone.removeValue(forKey: test)
            if last == nil, isPart.before { continue }
            // Unchanged tests are skipped before anything is read.
            if let last, last & 7 == byte & 7, !PackedResult.isFailure(byte) { continue }
            changes.append(
                ChangedTest(
                    id: try identity(of: test), before: try last.map { try PackedResult($0).outcome },
                    after: try PackedResult(byte).outcome))
        }
        if isPart.after { return changes }
        for (test, byte) in zip(old.tests, old.endings) where gone[test] != nil {
            changes.append(ChangedTest(id: try identity(of: test), before: try PackedResult(byte).outcome, after: nil))
        }
        return changes
    }

    /// The tests that passed in both runs and take clearly longer in the second.
    fileprivate func slower(from old: StoredResults, to new: StoredResults) throws -> [SlowerTest] {
        let passed = { (results: StoredResults, index: Int) in
            try PackedResult(results.endings[index]).outcome == .passed
                ? results.durations[index].map { Duration.nanoseconds($0) } : nil
        }
        let places = Dictionary(zip(old.tests, old.indices)) { first, _ in first }
        return try new.indices.compactMap { index in
            guard let place = places[new.tests[index]], let before = try passed(old, place),
                let after = try passed(new, index), SlowerTest.isSlower(before: before, after: after)
            else { return nil }
            return SlowerTest(id: try identity(of: new.tests[index]), before: before, after: after)
        }
    }
}
