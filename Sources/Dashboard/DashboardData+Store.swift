public import Evidence
import Gate
public import Pages
public import RunModel
public import Storage

extension DashboardData {
    /// Answers out of the store, and out of the run directories it knows for the text of sources.
    ///
    /// - Parameter signs: Where runs under way tell how far they are.
    public init(_ store: RunStore, signs: LiveSigns? = nil) {
        self.init(
            projects: { try store.projects().map { ProjectListEntry(name: $0.name, runs: $0.runs) } },
            runs: { try store.entries(project: $0, before: $1, limit: $2) },
            run: { id in try store.run(id).map { JudgedRun($0) } },
            sources: { id, paths in
                let kept = try store.evidence(of: id).flatMap { try KeptSources(in: $0) }
                return try paths.map { try kept?.bytes(of: $0) }
            },
            runsOfBranch: { try store.entries(store.runs(project: $0, branch: $1, limit: $2)) },
            wholeRuns: { try store.entries(store.wholeRuns(project: $0, branch: $1, limit: $2)) },
            defaultBranch: { try store.defaultBranch(of: $0) },
            branches: { try store.entries(store.branches(project: $0, limit: SheetPage.mostBranches)) },
            modules: { project, branch, runs in
                try store.modules(project: project, branch: branch, runs: runs).map {
                    ModuleLines(run: $0.run, module: $0.module, lines: $0.lines)
                }
            },
            history: { test, project, runs in
                try store.history(of: test, project: project, runs: runs).map { TestHistoryPoint($0) }
            },
            flaky: { try store.flakiest(project: $0, since: $1, limit: $2).map { FlakyEntry($0) } },
            slow: { try store.slowest(project: $0, limit: $1, runs: $2).map { SlowEntry($0) } },
            compare: { try store.comparison($0, $1) },
            tests: { try store.tests(project: $0) },
            files: { try store.files(project: $0) },
            find: { text, limit in
                let ids = try store.runIDs(matching: text, limit: limit)
                let found = try ids.compactMap { try store.summary(of: $0) }
                let ofCommit = try store.runs(commit: text, limit: limit).filter { !ids.contains($0.id) }
                return try store.entries(Array((found + ofCommit).prefix(limit)))
            },
            unexecuted: { id, coverage in
                let unexecuted = try store.evidence(of: id).flatMap { try UnexecutedFiles(in: $0) }
                var coverage = coverage
                if let unexecuted { coverage.add(unexecuted) }
                return coverage
            },
            runsOfTree: { try store.entries(store.runs(ofTree: $1, project: $0, limit: $2)) },
            version: { try store.version() },
            part: { id, part in try store.run(id, part).map { JudgedRun($0) } },
            regressions: { try store.regressions(of: $0, project: $1, branch: $2, runs: $3) }
        )
        self.signs = signs
    }
}

extension DashboardData.JudgedRun {
    fileprivate init(_ stored: StoredRun) {
        self.init(run: stored.run, verdict: stored.verdict, hasExecutionCounts: stored.hasExecutionCounts)
    }
}

extension RunStore {
    /// A page of runs as a list shows them; `nil` when there is no run to continue behind.
    public func entries(
        project: String?, before: RunID?, limit: Int
    ) throws(StorageError) -> [RunListEntry]? {
        do {
            return try entries(runs(project: project, before: before, limit: limit))
        } catch .unknownRun {
            return nil
        }
    }

    /// Runs as lists show them: where all tests passed and the gate blocked, with the rules that are broken.
    func entries(_ summaries: [RunSummary]) throws(StorageError) -> [RunListEntry] {
        var entries: [RunListEntry] = []
        for summary in summaries {
            var entry = RunListEntry(summary)
            if summary.exitStatus == .gateFailed { entry.broken = try violations(of: summary.id) }
            entries.append(entry)
        }
        return entries
    }

    /// Where the evidence of a run lies; `nil` where nobody knows.
    fileprivate func evidence(of id: RunID) throws(StorageError) -> RunDirectory? {
        try summary(of: id)?.runDirectory.map { RunDirectory(path: $0) }
    }

    /// What changed from one run to another; `nil` when there is nothing to compare.
    fileprivate func comparison(_ before: RunID, _ after: RunID) throws(StorageError) -> ComparisonEntry? {
        do {
            let found = try compare(before, after)
            let runs = try entries([found.before, found.after])
            return ComparisonEntry(found, before: runs[0], after: runs[1])
        } catch .unknownRun, .differentProjects {
            return nil
        }
    }
}

extension RunListEntry {
    /// A row of the store as a list shows it.
    public init(_ summary: RunSummary) {
        self.init(
            id: summary.id, project: summary.project, package: summary.package, revision: summary.revision,
            startedAt: summary.startedAt, duration: summary.duration, decision: summary.decision,
            exitStatus: summary.exitStatus, outcomes: summary.outcomes, lines: summary.lines,
            isPartial: summary.isPartial
        )
    }
}

extension TestHistoryPoint {
    init(_ entry: TestHistoryEntry) {
        self.init(
            run: entry.run, startedAt: entry.startedAt, commit: entry.commit, branch: entry.branch,
            outcome: entry.outcome, attempts: entry.attempts, duration: entry.duration)
    }
}

extension FlakyEntry {
    init(_ test: FlakyTest) {
        self.init(
            test: test.id, disagreements: test.disagreements, flips: test.flips, failures: test.failures,
            recoveries: test.recoveries, executions: test.executions, lastFailure: test.lastFailure)
    }
}

extension SlowEntry {
    init(_ test: SlowTest) {
        self.init(
            test: test.id, latest: test.latest, median: test.median, longest: test.longest, runs: test.runs)
    }
}

extension ComparisonEntry {
    init(_ comparison: RunComparison, before: RunListEntry, after: RunListEntry) {
        let lists: [(Kind, [ChangedTest])] = [
            (.regressed, comparison.regressed), (.stillFailing, comparison.stillFailing), (.fixed, comparison.fixed),
            (.added, comparison.added), (.removed, comparison.removed), (.newlySkipped, comparison.newlySkipped),
            (.otherwise, comparison.otherwise),
        ]
        self.init(
            before: before, after: after,
            changes: lists.flatMap { kind, tests in
                tests.map { Change(kind: kind, test: $0.id, before: $0.before, after: $0.after) }
            },
            modules: comparison.modules.map { ModuleChange(module: $0.module, before: $0.before, after: $0.after) })
    }
}
