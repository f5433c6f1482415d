import Gate
import Pages
import RunModel
import TestSupport
import Testing

/// Every page as bytes. To refresh after a change that is meant: `KANMON_REFRESH=1 swift test --filter PagesTests`, then read the
/// difference.
@Suite struct SnapshotTests {
    @Test func `the list of runs`() throws {
        try expectSnapshot("runs", SamplePages.runs(hasOlder: true))
    }

    @Test func `the list of one project, continued`() throws {
        let page = SamplePages.runs(
            project: "example/video-kit",
            filter: RunFilter(
                branch: "fix/<b>", decision: .failed, author: "\"A", since: CalendarDay("2026-01-01"),
                until: CalendarDay("2026-01-31")),
            before: SampleRuns.id(9))
        try expectSnapshot("runs-of-project", page)
    }

    @Test func `the list of runs in another order keeps it in its form and its pages`() throws {
        try expectSnapshot(
            "runs-by-coverage", SamplePages.runs(order: ListOrder(.coverage), before: SampleRuns.id(9), hasOlder: true))
    }

    @Test func `an empty list says why and what to do`() throws {
        let page = RunsPage(
            entries: [], projects: [], project: nil, before: nil, hasOlder: false, now: SamplePages.now
        )
        try expectSnapshot("runs-empty", page)
    }

    @Test func `a run that passed`() throws { try expectSnapshot("run-passed", SamplePages.run(SampleRuns.passing())) }

    @Test func `a run that failed, with hostile text`() throws {
        try expectSnapshot("run-failed", SamplePages.run(SampleRuns.failing()))
    }

    @Test func `a run with a flaky test and a quarantine`() throws {
        let run = SampleRuns.unsteady()
        let day = try #require(CalendarDay("2026-02-03"))
        let entry = QuarantineEntry(
            test: run.tests[3].id.description, owner: "<ana>", reason: SampleRuns.hostile, expires: day)
        let verdict = try Verdict(judging: run, by: Policy(flaky: .fail, quarantine: [entry]))
        try expectSnapshot(
            "run-unsteady", RunPage(run: run, verdict: verdict, sources: SourceTexts(), now: SamplePages.now))
    }

    @Test func `a run of a part of the tests, with an estimate`() throws {
        try expectSnapshot("run-estimated", SamplePages.estimated)
    }

    @Test func `a run that is undecided`() throws {
        try expectSnapshot("run-undecided", SamplePages.run(SampleRuns.undecided()))
    }

    @Test func `a run that did not compile`() throws {
        try expectSnapshot("run-unbuilt", SamplePages.run(SamplePages.unbuilt))
    }

    @Test func `a source file with missed lines`() throws {
        let page = SourcePage(
            path: "Sources/Core/URLRule.swift", run: SampleRuns.failing(), text: SamplePages.coreSource)
        try expectSnapshot("source", #require(page))
    }

    @Test func `missed lines lead to those before and behind them`() throws {
        try expectSnapshot("source-scattered", #require(SamplePages.scattered))
    }

    @Test func `a test file is shown with what failed in it`() throws {
        let page = SourcePage(
            path: "Tests/CoreTests/CoreTests.swift", run: SampleRuns.failing(), text: SamplePages.testSource
        )
        try expectSnapshot("source-of-tests", #require(page))
    }

    @Test func `a source file whose text is gone`() throws {
        let page = SourcePage(path: "Sources/tool/main.swift", run: SampleRuns.passing(), text: nil)
        try expectSnapshot("source-gone", #require(page))
    }

    @Test func `the tests of a target`() throws {
        let run = SampleRuns.failing()
        let page = SamplePages.tests(of: run)
        try expectSnapshot("tests", #require(page))
    }

    @Test func `the tests of a target, those that took longest first`() throws {
        let run = SampleRuns.failing()
        let order = ListOrder(.duration)
        let page = SamplePages.tests(of: run, order: order)
        try expectSnapshot("tests-by-duration", #require(page))
    }

    @Test func `the runs of a project in a report without a server`() throws {
        try expectSnapshot("history", SamplePages.history)
    }

    @Test func `every page of tables, and the same without anything to show`() throws {
        let entry = SamplePages.entry(SampleRuns.failing())
        let names = [
            "home", "project", "branch", "change", "test", "flaky", "slow", "tag", "exceptions", "owners",
            "known-issues", "exclusions", "unverified", "selection", "compare", "search", "evidence", "machines",
        ]
        let pages = SampleSheets.all("日本/🇯🇵 <b>", entry)
        #expect(names.count == pages.count)
        for (name, page) in zip(names, pages) { try expectSnapshot("sheet-\(name)", page) }
        let empty = [
            "home", "project", "branch", "test", "flaky", "slow", "tag", "exceptions", "owners", "known-issues",
            "exclusions", "unverified", "unverified-unknown", "selection", "search", "search-nothing", "machines",
        ]
        #expect(empty.count == SampleSheets.empty.count)
        for (name, page) in zip(empty, SampleSheets.empty) { try expectSnapshot("sheet-\(name)-empty", page) }
    }

    @Test func `a project that only laptops deliver to shows what it has, and how far that is trusted`() throws {
        var run = SampleRuns.passing()
        run.delivery = DeliveryRecord(
            token: "laptop", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
        var attempt = SamplePages.entry(run)
        attempt.delivery = run.delivery
        #expect(attempt.trust == .laptop)
        let state = ProjectState(
            name: "it's", runs: 1, branch: nil, latest: nil, attempt: attempt, regressions: [])
        try expectSnapshot("sheet-home-laptop", SheetPage.home([state], now: SamplePages.now))
        let page = SheetPage.project(
            state, runs: [], modules: [], branches: [], workingCopies: [attempt], now: SamplePages.now)
        try expectSnapshot("sheet-project-laptop", page)
        #expect(Badge(state).message == "no verdict")
    }

    @Test func `the coverage of a run, and of one of its modules`() throws {
        let run = SampleRuns.failing()
        let verdict = try Verdict(judging: run, by: Policy())
        let pages = SampleSheets.coverage(run, verdict)
        try expectSnapshot("sheet-coverage", #require(pages.first))
        try expectSnapshot("sheet-coverage-module", pages[1])
        let byMissed = SheetPage.coverage(
            run.head, run.coverage, verdict, module: nil, order: ListOrder(.missed), trend: [])
        try expectSnapshot("sheet-coverage-by-missed", #require(byMissed))
        try expectSnapshot("sheet-policy", #require(pages.last))
        let other = SheetPage.coverage(run.head, run.coverage, verdict, module: "core", trend: [])
        #expect(other.map { _ in true } == nil)
    }

    @Test func `a badge and a feed`() throws {
        let state = SampleSheets.state("日本/🇯🇵 <b>", SamplePages.entry(SampleRuns.failing()))
        TestSupport.expectSnapshot(Badge(state).svg, at: "Tests/PagesTests/Fixtures/badge.svg")
        let feed = RegressionFeed(state, root: "http://localhost:1")
        TestSupport.expectSnapshot(feed.xml, at: "Tests/PagesTests/Fixtures/regressions.atom")
        #expect(Badge(ProjectState(name: "p", runs: 0, branch: nil, latest: nil, regressions: [])).message == "no run")
    }

    @Test func `a screen on a wall, with failing projects first`() throws {
        let pages = SampleSheets.walls("日本/🇯🇵 <b>", SamplePages.entry(SampleRuns.failing()))
        for (name, page) in zip(["wall", "wall-empty"], pages) { try expectSnapshot(name, page) }
    }

    @Test func `a run under way, judged, and killed`() throws {
        for (name, page) in zip(["live", "live-judging", "live-gone", "live-elsewhere"], SamplePages.live("日本/🇯🇵 <b>")) {
            try expectSnapshot(name, page)
        }
    }

    @Test func `signing in and out`() throws {
        try expectSnapshot("sign-in", SignInPage(to: "/runs?project=a\"<b>", remark: "That is no valid token."))
        try expectSnapshot("signed-in", SignInPage(signedInWith: "laptop-3"))
    }

    @Test func `an error`() throws {
        let page = ErrorPage(
            status: 500, title: "Something went wrong", reason: "The page could not be made.", remedy: "Try again.",
            incident: "0123abcd"
        )
        try expectSnapshot("error", page)
    }
}

/// Compares a page with its recorded file.
private func expectSnapshot(
    _ name: String, _ page: some Page, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
    let html = try PageRenderer().render(page) + "\n"
    #expect(try GeneralRenderer.get().render(page) + "\n" == html, sourceLocation: sourceLocation)
    TestSupport.expectSnapshot(html, at: "Tests/PagesTests/Fixtures/\(name).html", sourceLocation: sourceLocation)
}
