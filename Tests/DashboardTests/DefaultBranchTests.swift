import Foundation
import Gate
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Storage

/// Which runs the pages of a project go by.
@Suite struct DefaultBranchTests {
    private static let project = SampleRuns.passing().project

    /// A store in a folder of its own, removed with it.
    private final class Place {
        let folder: TemporaryFolder
        let store: RunStore

        init() throws {
            folder = try TemporaryFolder()
            store = try RunStore(path: "\(folder.path)/kanmon.sqlite")
        }

        func ingest(_ original: TestRun, on branch: String, base: String? = nil) throws {
            var run = original
            run.revision?.branch = branch
            var verdict = try Verdict(judging: run, by: Policy())
            verdict.base = base.map { BaseReview(commit: BaseCommit(commit: "0a", kind: .mergeBase, name: $0)) }
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }

        /// Adds newer runs like the only one there is, which failed: each on the branch that `branch` says in SQL.
        func multiply(_ count: Int, branch: String, isPartial: Bool) throws {
            try store.write { connection in
                try connection.statement(
                    """
                    WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
                    INSERT INTO run (
                        identity, tail, project, package, tree_id, branch, is_dirty, started_at, duration, engine, facts, decision,
                        exit_status, passed, failed, crashed, timed_out, skipped, known_issue, not_run, recovered, is_partial,
                        is_exact, is_of_branch, began_at
                    )
                    SELECT
                        printf('019b7caa-0000-7000-8000-%012d', n), printf('%012d', n), project, package, tree_id,
                        CAST(\(branch) AS BLOB), is_dirty, started_at + n, duration, engine, facts, 'failed',
                        1, 0, 1, 0, 0, 0, 0, 0, 0, ?2, is_exact, is_of_branch, began_at + n
                    FROM run CROSS JOIN number
                    """
                ).execute(count, isPartial)
                try connection.statement(
                    """
                    INSERT INTO verdict (
                        run, project, is_own, is_exact, is_state, commit_id, attempt, branch, base, place, judged_at, decision, exit_status,
                        body, policy, statuses, tallies
                    )
                    SELECT
                        run.id, run.project, 1, 1, 1 - run.is_partial, '', '', run.branch, '', run.started_at, run.started_at,
                        run.decision, run.exit_status, body, policy, statuses, tallies
                    FROM run CROSS JOIN verdict WHERE run.id NOT IN (SELECT run FROM verdict)
                    """
                ).execute()
            }
        }

        func dashboard(_ audit: @escaping BranchAudit = { _, _ in nil }) throws -> SampleDashboard {
            try SampleDashboard(store: store, audit: audit)
        }
    }

    private func badge(_ dashboard: SampleDashboard) async throws -> String {
        try await dashboard.page("/badge.json?project=\(Self.project)")
    }

    @Test func `the default branch is found among hundreds that come before it`() async throws {
        let place = try Place()
        try place.ingest(SampleRuns.passing(1), on: "main")
        try place.multiply(250, branch: "printf('a/%03d', n)", isPartial: false)
        let dashboard = try place.dashboard()
        #expect(try await badge(dashboard).contains("✓ passed"))
        let home = try await dashboard.page("/index.json")
        #expect(home.contains("\"branch\":\"main\"") && home.contains("\"id\":\"\(SampleRuns.id(1))\""))
        let page = try await dashboard.page("/project?project=\(Self.project)")
        #expect(page.contains("The 200 branches with the newest runs"))
        #expect(page.contains("<bdi>a/<wbr>250</bdi>") && !page.contains("<bdi>a/<wbr>050</bdi>"))
    }

    @Test(arguments: [true, false])
    func `a working copy that fails leaves the branch that it is on green`(isDirty: Bool) async throws {
        let place = try Place()
        try place.ingest(SampleRuns.passing(1), on: "main")
        var copy = SampleRuns.failing(2)
        copy.revision?.tree = nil
        copy.revision?.isDirty = isDirty
        try place.ingest(copy, on: "main")
        let dashboard = try place.dashboard()
        #expect(try await badge(dashboard).contains("✓ passed"))
        #expect(try await dashboard.page("/metrics").contains("kanmon_passed{project=\"\(Self.project)\"} 1\n"))
        let home = try await dashboard.page("/index.json")
        #expect(home.contains("\"id\":\"\(SampleRuns.id(1))\"") && home.contains("\"regressions\":[]"))
        #expect(try await dashboard.page("/").contains("The default branch of every project passes."))
        #expect(try await !dashboard.page("/wall").contains("\(copy.id)"))
        #expect(try await !dashboard.page("/regressions.atom?project=\(Self.project)").contains("<entry>"))
        #expect(await dashboard.ask("/latest?project=\(Self.project)")["location"] == "/runs/\(SampleRuns.id(1))")
        let page = try await dashboard.page("/project?project=\(Self.project)")
        let parts = page.components(separatedBy: "Latest runs of working copies")
        #expect(parts.count == 2 && !parts[0].contains("\(copy.id)") && parts[1].contains("\(copy.id)"))
        #expect(parts[1].contains("<span>working copy</span>"))
        let runs = try await dashboard.page("/runs.json?project=\(Self.project)")
        #expect(runs.contains("\"isExact\":false") && runs.contains("\"isExact\":true"))
        let failing = copy.tests.filter(\.outcome.isFailure).map(\.id)
        let test = try #require(failing.first)
        let history = try await dashboard.page(
            Links.dashboard.href(.test(test, project: Self.project)))
        #expect(history.contains("working copy") && !history.contains("Failing since"))
    }

    @Test func `a branch that failures of its base were let through on does not make the project pass`() async throws {
        let store = try SampleStore()
        var run = SampleRuns.passing(1)
        run.revision?.branch = "topic"
        run.tests[0].outcome = .failed
        run.tests[0].attempts = [TestAttempt(outcome: .failed, issues: [Issue(message: "x == 1")])]
        var verdict = SampleStore.verdict(run)
        (verdict.decision, verdict.violations) = (.passed, [])
        verdict.allowedFailures = [AllowedFailure(test: run.tests[0].id, run: SampleRuns.id(9))]
        try store.ingest(run, verdict, keeping: nil)
        let dashboard = try SampleDashboard(store: store.store)
        #expect(try await badge(dashboard).contains("~ 1 failure of the base let through"))
        #expect(try await dashboard.page("/metrics").contains("kanmon_passed{project=\"\(Self.project)\"} 0\n"))
        #expect(try await !dashboard.page("/").contains("The default branch of every project passes."))
    }

    @Test func `what only says how a project stands follows no failure back through its runs`() async throws {
        let place = try Place()
        for number in 1...3 { try place.ingest(SampleRuns.failing(number), on: "main") }
        let trace = StatementTrace()
        let dashboard = try SampleDashboard(store: try RunStore(readOnly: place.store.path, trace: trace))
        for path in ["/metrics", "/wall", "/badge.svg", "/exclusions"] {
            let target = "\(path)?project=\(Self.project)"
            #expect(await dashboard.ask(target).status == 200)
            #expect(trace.figures[StateQuery.latestRunsOfBranch.rawValue] == nil, "\(target)")
        }
        // Nor is the verdict of a run decoded to say what fails since when.
        #expect(trace.figures[StateQuery.verdict.rawValue] != nil)
        let before = trace.figures[StateQuery.verdict.rawValue]?.executions
        #expect(await dashboard.ask("/index.json").status == 200)
        #expect(trace.figures[StateQuery.latestRunsOfBranch.rawValue]?.executions == 1)
        #expect(trace.figures[StateQuery.verdict.rawValue]?.executions == before)
    }

    @Test func `a project with runs of working copies only has no state`() async throws {
        let place = try Place()
        var copy = SampleRuns.passing(1)
        copy.revision?.tree = nil
        try place.ingest(copy, on: "main")
        let dashboard = try place.dashboard()
        #expect(try await badge(dashboard).contains("no verdict"))
        #expect(try await !dashboard.page("/metrics").contains("kanmon_passed{"))
        #expect(try await dashboard.page("/project?project=\(Self.project)").contains("kanmon run --commit HEAD"))
    }

    @Test func `the default branch is the one that the gate compared with`() async throws {
        let place = try Place()
        try place.ingest(SampleRuns.failing(1), on: "main")
        try place.ingest(SampleRuns.passing(2), on: "develop", base: "origin/develop")
        let dashboard = try place.dashboard()
        #expect(try await badge(dashboard).contains("✓ passed"))
        #expect(try await dashboard.page("/index.json").contains("\"branch\":\"develop\""))
    }

    @Test func `where no run is on the default branch those of all branches count`() async throws {
        let place = try Place()
        try place.ingest(SampleRuns.failing(1), on: "main")
        try place.ingest(SampleRuns.passing(2), on: "topic", base: "develop")
        let dashboard = try place.dashboard { _, branch in CommitAudit(branch: branch, looked: 0, entries: []) }
        #expect(try await badge(dashboard).contains("✓ passed"))
        let project = try await dashboard.page("/project.json?project=\(Self.project)")
        #expect(project.contains("\"runs\":2") && !project.contains("\"branch\":\"develop\""))
        #expect(try await dashboard.page("/project?project=\(Self.project)").contains("Modules over 2 runs<"))
        #expect(
            try await dashboard.page("/unverified.json?project=\(Self.project)").contains("\"branch\":\"develop\""))
    }

    @Test func `runs of a part of the tests are passed over, however many there are`() async throws {
        let place = try Place()
        try place.ingest(SampleRuns.passing(1), on: "main")
        try place.multiply(120, branch: "'main'", isPartial: true)
        let dashboard = try place.dashboard()
        #expect(try await badge(dashboard).contains("✓ passed"))
        let page = try await dashboard.page("/project?project=\(Self.project)")
        #expect(page.contains("Modules over 1 run<"))
    }

    @Test func `a project with partial runs only is shown as such`() async throws {
        let place = try Place()
        var part = SampleRuns.passing(1)
        part.selection = Selection(filters: ["x"])
        try place.ingest(part, on: "main")
        let dashboard = try place.dashboard()
        let home = try await dashboard.page("/")
        #expect(home.contains("No run says how 1 of 1 project stands.") && home.contains("Passed, part"))
        #expect(
            try await dashboard.page("/project?project=\(Self.project)").contains(
                "Only runs of working copies, of staged files or of a part of the tests are stored."))
    }

    @Test func `a branch with partial runs only, or without a passed run, is shown as such`() async throws {
        let place = try Place()
        var part = SampleRuns.passing(1)
        part.selection = Selection(filters: ["x"])
        try place.ingest(part, on: "topic")
        try place.ingest(SampleRuns.failing(2), on: "main")
        let dashboard = try place.dashboard()
        let topic = try await dashboard.page("/branch?project=\(Self.project)&branch=topic")
        #expect(topic.contains("Only partial runs or runs of working copies are stored."))
        let main = try await dashboard.page("/branch?project=\(Self.project)&branch=main")
        #expect(main.contains("Its only run did not pass.") && main.contains("Failing now"))
    }

    @Test func `the page of a run of a part of the tests does not say that the others are gone`() async throws {
        let place = try Place()
        try place.ingest(SampleRuns.passing(1), on: "main")
        var part = SampleRuns.passing(2)
        part.selection = Selection(filters: ["x"])
        part.tests.removeLast()
        try place.ingest(part, on: "main")
        let page = try await place.dashboard().page("/runs/\(part.id)")
        #expect(page.contains("every test of both ended as before") && !page.contains("removed"))
    }
}
