import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct QueryPlanTests {
    /// Tables that stay small however long the history is; `walk` has a row for each branch, the others are parts of the
    /// verdict of one run.
    static let small = ["project", "walk", "violation", "kind", "rule", "json_each"]

    @Test(
        arguments: PageQuery.allCases.map(\.rawValue) + StateQuery.allCases.map(\.rawValue)
            + FlakyQuery.allCases.map(\.rawValue) + SearchQuery.allCases.map(\.rawValue))
    func `no page scans a table that grows`(query: String) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        let plan = try store.plan(of: query)
        #expect(!plan.isEmpty)
        for step in plan where step.hasPrefix("SCAN ") && query != PageQuery.anyRun.rawValue {
            let table = step.split(separator: " ")[1]
            let isOrdered = step.contains("USING INDEX run_by_start")
            // "recent" is a subquery that holds as many rows as its limit.
            #expect(Self.small.contains(String(table)) || table == "recent" || isOrdered, "\(step)")
        }
    }

    @Test(arguments: [
        PageQuery.summaries.rawValue, PageQuery.summariesBefore.rawValue, PageQuery.summariesOfProject.rawValue,
        PageQuery.summariesOfProjectBefore.rawValue, PageQuery.runsOfWorkingCopies.rawValue,
        StateQuery.wholeRunsOfProject.rawValue, StateQuery.wholeRunsOfBranch.rawValue,
        StateQuery.latestRuns.rawValue, StateQuery.latestRunsOfBranch.rawValue, StateQuery.statesOfBranch.rawValue,
        StateQuery.placesOfBranch.rawValue, PageQuery.latestFullRuns.rawValue, PageQuery.latestFullRun.rawValue,
    ])
    func `a page of runs is read in the order of its index`(query: String) throws {
        let place = try TemporaryStore()
        let plan = try place.open().plan(of: query)
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func `green runs that a retry made green are found without the others`() throws {
        let place = try TemporaryStore()
        let plan = try place.open().plan(of: FlakyQuery.hiddenFlakesSince.rawValue)
        #expect(plan.first?.contains("run_by_recovery (project=? AND started_at>?)") == true, "\(plan)")
    }

    @Test func `the check sees a scan`() throws {
        let place = try TemporaryStore()
        #expect(try place.open().plan(of: "SELECT * FROM run WHERE package = ?1") == ["SCAN run"])
    }
}
