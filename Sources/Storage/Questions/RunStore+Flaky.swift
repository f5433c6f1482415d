public import Foundation
public import Gate
public import RunModel

extension RunStore {
    /// The tests of a project whose outcome varies, the worst first; those that vary only in runs that answer for no tree come behind,
    /// and last those that are broken by now.
    ///
    /// Only executions count: a test that was skipped, did not run or has a result from another run does not. Of the runs that answer for
    /// no tree, such as those of working copies and laptops, the newest 200 count.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - since: Only runs that began then or later.
    ///   - limit: How many tests at most.
    ///   - tag: Only tests with this tag; all when `nil`.
    ///   - kind: Only tests that are this; all when `nil`.
    public func flakiest(
        project name: String, since: Date, limit: Int, tag: String? = nil, kind: FlakyTest.Kind? = nil
    ) throws(StorageError) -> [FlakyTest] {
        try read { connection in
            guard let project = try connection.project(name) else { return [] }
            var count = try FlakyCount(
                connection, project: project, branch: try connection.testedBranch(of: name),
                since: since.nanosecondsSince1970 ?? .min)
            try count.addExactRuns()
            let proven = Set(count.suspects.map(\.id))
            try count.addOtherRuns()
            var suspects = try count.suspects.map { row, test in
                var test = test
                test.id = try connection.identity(of: row)
                return (row: row, test: test)
            }
            if let tag {
                let names = try TestNames(of: project, connection)
                suspects = try suspects.filter { try names.named($0.test.id, row: $0.row).hasTag(tag) }
            }
            if let kind { suspects.removeAll { $0.test.kind != kind } }
            let worstFirst = suspects.sorted { one, other in
                guard one.test.kind == other.test.kind else { return one.test.kind == .flaky }
                let (isProven, isOtherProven) = (proven.contains(one.row), proven.contains(other.row))
                return isProven == isOtherProven ? one.test.precedes(other.test) : isProven
            }
            return worstFirst.prefix(limit).map(\.test)
        }
    }

    /// How many runs of a project answer for their tree, and in how many of those that passed a retry hid a flaky test.
    ///
    /// - Parameter since: Only runs that began then or later.
    public func flakyWindow(project: String, since: Date) throws(StorageError) -> FlakyWindow {
        try read { connection in
            guard let project = try connection.project(project) else { return FlakyWindow() }
            return try connection.statement(.runsSince).first(project, since.nanosecondsSince1970 ?? .min) {
                FlakyWindow(runs: $0.int(0), green: $0.int(1), hidden: $0.int(2))
            } ?? FlakyWindow()
        }
    }

    /// In how many runs of a project that passed a retry hid a flaky test: the same as `flakyWindow` says, at a price that does not grow
    /// with the number of other runs.
    ///
    /// - Parameter since: Only runs that began then or later.
    public func hiddenFlakes(project: String, since: Date) throws(StorageError) -> Int {
        try read { connection in
            guard let project = try connection.project(project) else { return 0 }
            return try connection.statement(.hiddenFlakesSince)
                .first(project, since.nanosecondsSince1970 ?? .min) { $0.int(0) } ?? 0
        }
    }

    /// The quarantine of a project as of its latest full run of the default branch, or of any branch if that has none;
    /// empty without such a run.
    public func quarantine(of project: String) throws(StorageError) -> [QuarantineStatus] {
        let branch = try testedBranch(of: project)
        guard let latest = try wholeRuns(project: project, branch: branch, limit: 1).first,
            try signs(of: latest)?.quarantineEnds != nil
        else { return [] }
        return try verdict(of: latest)?.quarantine ?? []
    }

    /// Whether anybody may own a test of a run: the verdict that a summary of it tells has a list of owners, or entries of the
    /// quarantine, which have one.
    public func mayHaveOwners(_ told: RunSummary) throws(StorageError) -> Bool {
        guard let found = try signs(of: told) else { return false }
        return found.hasOwners || found.quarantineEnds != nil
    }

    /// The entries of the quarantine that end on a day or before, those that end first at the top, by the verdict that a summary tells.
    public func quarantine(of told: RunSummary, endingBy day: CalendarDay) throws(StorageError) -> [QuarantineEntry] {
        guard let end = try signs(of: told)?.quarantineEnds.flatMap({ CalendarDay($0) }), end <= day else { return [] }
        return (try verdict(of: told)?.quarantine ?? []).map(\.entry).filter { $0.expires <= day }
            .sorted { ($0.expires, Name($0.test)) < ($1.expires, Name($1.test)) }
    }

    /// What of a verdict is known without reading it: most have neither.
    private struct VerdictSigns {
        /// When the first entry of its quarantine ends; `nil` where it has none.
        let quarantineEnds: String?
        /// Whether it has a list of owners.
        let hasOwners: Bool

        init(_ row: StatementRow) {
            quarantineEnds = row.optionalText(0)
            hasOwners = row.flag(1)
        }
    }

    /// The signs of the verdict that a summary tells; `nil` if the run is not stored any more.
    private func signs(of told: RunSummary) throws(StorageError) -> VerdictSigns? {
        try read { connection in
            guard let key = try connection.statement(.runKey).first(told.id.description, row: { $0.integer(0) }) else {
                return nil
            }
            guard let commit = told.judgedCommit else {
                return try connection.statement(.verdictSigns).first(key, row: VerdictSigns.init)
            }
            return try connection.statement(.verdictSignsForCommit).first(key, commit, row: VerdictSigns.init)
        }
    }

    /// The durations of a project's tests in its latest full run that executed any.
    public func latestDurations(project: String) throws(StorageError) -> [TestID: Duration] {
        try read { connection in
            guard let project = try connection.project(project),
                let run = try connection.statement(.latestFullRun).first(project, row: { $0.integer(0) })
            else { return [:] }
            let results = try ResultReading(connection).results(run)
            var durations: [TestID: Duration] = [:]
            for index in results.indices {
                guard let duration = results.durations[index] else { continue }
                durations[try connection.identity(of: results.tests[index])] = .nanoseconds(duration)
            }
            return durations
        }
    }
}
