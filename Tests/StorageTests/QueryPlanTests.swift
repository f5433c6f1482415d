import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct QueryPlanTests {
    /// Tables that stay small however long the history is; `walk` has a row for each branch, the others are parts of the
    /// verdict of one run.
    static let small = ["project", "walk", "violation", "kind", "rule", "json_each"]

    /// What has to be found by its name, by the index that has it: an index of all runs or verdicts of a project would do, too, and the
    /// page would get slower with every run that anybody delivers.
    static let namedIndexes: [(query: String, index: String)] = [
        (PageQuery.runKey.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.summary.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.projectOfRun.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.gapOfRun.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.runDetails.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.doubtsOfRun.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.testMapOfRun.rawValue, "sqlite_autoindex_run_1 (identity=?)"),
        (PageQuery.wholeRunsOfTree.rawValue, "run_by_tree (tree_id=? AND project=?)"),
        (PageQuery.reusableRun.rawValue, "run_by_tree (tree_id=? AND project=?)"),
        (PageQuery.fullRunsOfTree.rawValue, "run_by_tree (tree_id=? AND project=?)"),
        (SearchQuery.summariesOfTree.rawValue, "run_by_tree (tree_id=? AND project=?)"),
        (SearchQuery.summariesOfTreeAnywhere.rawValue, "run_by_tree (tree_id=?)"),
        (StateQuery.commitOfTree.rawValue, "run_by_tree (tree_id=? AND project=?)"),
        (PageQuery.earlierRunsOfSources.rawValue, "run_by_sources (project=? AND source_digest=? AND "),
        (PageQuery.latestTestMap.rawValue, "run_by_test_map (project=?)"),
        (PageQuery.latestFullRun.rawValue, "run_by_trust (project=? AND is_exact=?)"),
        (PageQuery.latestFullRuns.rawValue, "run_by_trust (project=? AND is_exact=?)"),
        (PageQuery.runsOfTrees.rawValue, "run_by_trust (project=? AND is_exact=?)"),
        (PageQuery.history.rawValue, "run_by_trust (project=? AND is_exact=? AND (started_at,identity)<(?,?))"),
        (PageQuery.past.rawValue, "run_by_trust (project=? AND is_exact=? AND (started_at,identity)<(?,?))"),
        (
            PageQuery.trustedSummariesBefore.rawValue,
            "run_by_trust (project=? AND is_exact=? AND (started_at,identity)<(?,?))"
        ),
        (PageQuery.deliveredRuns.rawValue, "run_by_project (project=? AND started_at>?)"),
        (PageQuery.culpritsOfTest.rawValue, "culprit_by_test (project=? AND test=?)"),
        (PageQuery.culpritsOfCommit.rawValue, "culprit_by_commit (project=? AND commit_id=?)"),
        (SearchQuery.summariesOfCommit.rawValue, "run_by_commit (project=? AND commit_id>? AND commit_id<?)"),
        (
            SearchQuery.summariesOfMadeCommit.rawValue,
            "run_by_made_commit (project=? AND made_commit>? AND made_commit<?)"
        ),
        (SearchQuery.identitiesByPrefix.rawValue, "run_by_identity (project=? AND identity>? AND identity<?)"),
        (SearchQuery.identitiesBySuffix.rawValue, "run_by_tail (project=? AND tail>? AND tail<?)"),
        (StateQuery.placeOfCommit.rawValue, "verdict_by_commit (project=? AND commit_id=?)"),
        (StateQuery.trustedVerdictsOfCommit.rawValue, "verdict_by_trusted_commit (project=? AND commit_id=?)"),
        (StateQuery.otherVerdictsOfCommit.rawValue, "verdict_by_commit (project=? AND commit_id=?)"),
        (StateQuery.statesOfBranch.rawValue, "verdict_by_branch (project=? AND branch=?)"),
        (StateQuery.anyWholeRunOfBranch.rawValue, "verdict_by_branch (project=? AND branch=?)"),
    ]

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

    @Test(arguments: QueryPlanTests.namedIndexes)
    func `what is asked for by a name is found by the index that has it`(query: String, index: String) throws {
        let place = try TemporaryStore()
        let plan = try place.open().plan(of: query)
        #expect(plan.contains { $0.hasPrefix("SEARCH ") && $0.contains("INDEX \(index)") }, "\(plan)")
    }

    @Test(arguments: PageQuery.allCases)
    func `no page goes through all tests that were ever in a project or in a module`(query: PageQuery) throws {
        let place = try TemporaryStore()
        let plan = try place.open().plan(of: query.rawValue)
        for names in ["(project=?)", "(project=? AND module=?)"] {
            #expect(!plan.contains { $0.contains("sqlite_autoindex_test_1 \(names)") }, "\(plan)")
        }
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
