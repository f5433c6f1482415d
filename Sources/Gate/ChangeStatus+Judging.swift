import RunModel

extension ChangeStatus {
    /// Compares the files that count with what is known of the base.
    ///
    /// - Parameters:
    ///   - modules: The modules as they were measured.
    ///   - unstable: What is unstable in them.
    ///   - package: The targets of the base, where its manifest is another.
    ///   - isExcluded: What the policy leaves out now is left out of the base as well.
    init(
        _ comparison: ChangeComparison, run: TestRun, modules: [MeasuredModule], unstable: [UnstableFile] = [],
        package: PackageShape? = nil, policy: Policy, isExcluded: (String) -> Bool
    ) {
        let states = BaseStates(comparison, of: run, unstable: unstable)
        let origin = SourceOrigin(comparison, package: package)
        var changes: [Name: FileChange] = [:]
        var renamed: Set<Name> = []
        for change in comparison.changes {
            if let path = change.path { changes[Name(path)] = change }
            if let path = change.basePath { renamed.insert(Name(path)) }
        }
        self.init(base: comparison.base, baseRun: comparison.coverage?.runs.first, rule: policy.patch)
        var total = CoverageTally()
        var surviving = CoverageTally()
        var counts: [LineClass: Int] = [:]
        var seen: Set<Name> = []
        func add(_ difference: LineDifference) {
            surviving = surviving + difference.surviving
            counts.merge(difference.classes, uniquingKeysWith: +)
        }
        let counted = modules.flatMap(\.files).sorted { Name($0.path) < Name($1.path) }
        for file in counted {
            let key = Name(file.path)
            let change = origin.isUnknown(file) ? FileChange(path: file.path, basePath: nil, changes: []) : changes[key]
            // A new file in the place of one that was renamed has nothing to do with it.
            let basePath = change.map(\.basePath) ?? (renamed.contains(key) ? nil : file.path)
            if let basePath { seen.insert(Name(basePath)) }
            let difference = LineDifference(file, change: change, basePath: basePath, states: states)
            add(difference)
            let all = file.lineTally
            let leftOut = difference.unstableTally
            total =
                total
                + CoverageTally(covered: all.covered - leftOut.covered, total: all.total - leftOut.total)
            lines = lines + difference.new
            if difference.new.total > 0 || !difference.movedDebt.isEmpty {
                files.append(
                    ChangedFile(
                        path: file.path, tally: difference.new, missed: LineRanges.of(difference.uncoveredNew),
                        debt: LineRanges.of(difference.movedDebt),
                        added: (change?.changes ?? []).map(\.head).filter { !$0.isEmpty }
                            .map { $0.lowerBound...$0.upperBound - 1 }
                    )
                )
            }
            let untouched = IndirectChange(
                path: file.path, lost: LineRanges.of(difference.lost), gained: LineRanges.of(difference.gained),
                unstable: LineRanges.of(difference.unstable))
            if untouched != IndirectChange(path: file.path) { indirect.append(untouched) }
        }
        let changesOfBase = Dictionary(
            comparison.changes.compactMap { change in change.basePath.map { (Name($0), change) } }
        ) { first, _ in first }
        for file in comparison.coverage?.files ?? [] {
            // What is known of a path is the first entry that names it: each further one would count, and cost, as much again.
            guard seen.insert(Name(file.path)).inserted, !isExcluded(file.path) else { continue }
            add(LineDifference(nil, change: changesOfBase[Name(file.path)], basePath: file.path, states: states))
        }
        classes = LineClass.allCases.compactMap { name in counts[name].map { ClassCount(name, $0) } }
        if comparison.coverage != nil {
            project = total
            before = surviving
        }
        unrelatedFailures = run.testMap?.unrelated(among: run.failures, to: comparison.changes) ?? []
        // What limits the comparison matters to a rule; without one, words of the status say that no run is stored.
        notes = policy.comparesLines ? Self.notes(comparison, run: run) : []
    }

    private static func notes(_ comparison: ChangeComparison, run: TestRun) -> [Note] {
        let name = String(comparison.base.commit.prefix(12))
        guard let coverage = comparison.coverage else {
            let detail =
                "no base run is stored: moved lines cannot be told from new ones, "
                + "and lines that lost their coverage are unknown"
            return [Note(.baseRunMissing, subject: name, detail: detail)]
        }
        guard let before = coverage.swiftVersion, let now = run.toolchain?.swiftVersion, before != now else {
            return []
        }
        let detail = "the base run used another compiler, which may count other lines: \(before)"
        return [Note(.baseRunMissing, subject: name, detail: detail)]
    }
}
