public import RunModel

extension RunStore {
    /// What changed from `first` to `second`; both must belong to one project.
    public func compare(_ first: RunID, _ second: RunID) throws(StorageError) -> RunComparison {
        try read { connection in
            let keys = (
                before: try connection.key(of: first, path: path), after: try connection.key(of: second, path: path)
            )
            guard keys.before.project == keys.after.project else {
                throw StorageError.differentProjects(first, second)
            }
            let summaries = try [first, second].map { id in
                guard let summary = try connection.statement(.summary).first(id.description, row: RunSummary.init)
                else { throw StorageError.unknownRun(path: path, id: id) }
                return summary
            }
            var comparison = RunComparison(before: summaries[0], after: summaries[1])
            try connection.statement(.changes).forEach(keys.before.id, keys.after.id) { row in
                comparison.sort(
                    ChangedTest(
                        id: row.testID(0), before: try row.optionalInteger(4).map(Outcome.init(storedCode:)),
                        after: try Outcome(storedCode: row.integer(5))
                    )
                )
            }
            try connection.statement(.removals).forEach(keys.before.id, keys.after.id) { row in
                comparison.sort(
                    ChangedTest(id: row.testID(0), before: try Outcome(storedCode: row.integer(4)), after: nil)
                )
            }
            comparison.modules = Self.changes(
                from: try connection.measuredModules(keys.before.id), to: try connection.measuredModules(keys.after.id)
            )
            return comparison
        }
    }

    private static func changes(
        from before: [(name: String, lines: CoverageTally)], to after: [(name: String, lines: CoverageTally)]
    ) -> [ModuleChange] {
        let common = after.map { module in
            let match = before.first { $0.name.utf8.elementsEqual(module.name.utf8) }
            return ModuleChange(module: module.name, before: match?.lines, after: module.lines)
        }
        let gone = before.filter { module in !after.contains { $0.name.utf8.elementsEqual(module.name.utf8) } }
        return common + gone.map { ModuleChange(module: $0.name, before: $0.lines, after: nil) }
    }
}

extension Connection {
    /// The measured modules of a run in the order of its package.
    fileprivate func measuredModules(_ run: Int64) throws -> [(name: String, lines: CoverageTally)] {
        try statement(.modules).all(run) { row in
            (
                name: row.text(0), isMeasured: row.flag(1),
                lines: CoverageTally(covered: row.int(2), total: row.int(3))
            )
        }
        .filter(\.isMeasured).map { ($0.name, $0.lines) }
    }
}
