public import Foundation
public import Gate
public import RunModel

extension RunStore {
    /// The tests of a project whose outcome varies, the worst first; those that vary only in runs that answer for no tree come last.
    ///
    /// Only executions count: a test that was skipped, did not run or has a result from another run does not. Of the runs that answer for
    /// no tree, such as those of working copies and laptops, the newest 200 count.
    ///
    /// - Parameters:
    ///   - project: The project.
    ///   - since: Only runs that began then or later.
    ///   - limit: How many tests at most.
    ///   - tag: Only tests with this tag; all when `nil`.
    public func flakiest(
        project: String, since: Date, limit: Int, tag: String? = nil
    ) throws(StorageError) -> [FlakyTest] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            var count = try FlakyCount(connection, project: project, since: since.nanosecondsSince1970 ?? .min)
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
            let worstFirst = suspects.sorted { one, other in
                let (isProven, isOtherProven) = (proven.contains(one.row), proven.contains(other.row))
                return isProven == isOtherProven ? one.test.precedes(other.test) : isProven
            }
            return worstFirst.prefix(limit).map(\.test)
        }
    }

    /// The quarantine of a project as it stands in its latest run of all tests on the default branch, or on any where that has none; empty
    /// without such a run.
    public func quarantine(of project: String) throws(StorageError) -> [QuarantineStatus] {
        let branch = try testedBranch(of: project)
        guard let latest = try wholeRuns(project: project, branch: branch, limit: 1).first else { return [] }
        return try verdict(of: latest.id)?.quarantine ?? []
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
