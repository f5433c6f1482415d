import Foundation
import Gate
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// What is said of flaky tests, and of the quarantine that ends soon.
@Suite struct FlakyPagesTests {
    private let project = SampleRuns.passing().project
    private let test = SampleRuns.passing().tests[0].id

    /// Four green runs, in the second of which a retry hid that a test is flaky, and a quarantine that ends in 14 days.
    private func store() throws -> SampleStore {
        let store = try SampleStore()
        for number in 1...4 {
            var run = SampleRuns.passing(number)
            run.revision?.tree = "tree \(number)"
            if number == 2 {
                let failed = TestAttempt(outcome: .failed, issues: [Issue(message: "waited 31 ms")])
                run.tests[0].attempts = [failed, TestAttempt(outcome: .passed)]
            }
            var verdict = SampleStore.verdict(run)
            verdict.owners = CodeOwnersFile(
                path: "CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\n", commit: String(repeating: "c", count: 40))
            let entry = QuarantineEntry(
                test: "CoreTests.Zoo/slow", owner: "@qa", reason: "it drifts",
                expires: CalendarDay(SampleRuns.moment).adding(days: 14))
            verdict.quarantine = [QuarantineStatus(entry: entry)]
            try store.ingest(run, verdict, keeping: nil)
        }
        return store
    }

    private func data(_ target: String, _ dashboard: SampleDashboard) async throws -> [String: Any] {
        let text = try await dashboard.page(target)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func `the list says in which runs it looked, how often tests fail, and what a retry hid`() async throws {
        let store = try store()
        let dashboard = try SampleDashboard(store: store.store)
        let page = try await dashboard.page(Route.list(.flaky, project: project).href)
        #expect(
            page.contains("in the last 30 days: 4 runs of exact trees. In 1 of 4 green runs a retry hid a flaky test."))
        #expect(page.contains("<bdi>25.<wbr>0 %</bdi><small><bdi>4.5–70.0 %</bdi></small>"))
        let answer = try await data(Address(.list(.flaky, project: project), isData: true).href, dashboard)
        let window = try #require(answer["window"] as? [String: Any])
        #expect(window["since"] as? String == "2025-12-03T05:04:05Z")
        #expect(["days", "runs", "greenRuns", "hiddenFlakes"].map { window[$0] as? Int } == [30, 4, 4, 1])
        let tests = try #require(answer["data"] as? [[String: Any]])
        #expect(tests.map { $0["kind"] as? String } == ["flaky"])
        let rate = try #require(tests.first?["rate"] as? [String: Any])
        #expect(["failures", "executions"].map { rate[$0] as? Int } == [1, 4])
        #expect(tests.first?["brokenSince"] == nil)
        let broken = Route.list(.flaky, project: project, kept: "broken")
        #expect(try await dashboard.page(broken.href).contains("Nothing in this list matches."))
        #expect(try await data(Address(broken, isData: true).href, dashboard)["data"] as? [String] == [])
    }

    @Test func `the page of a flaky test says how it fared over months, and proposes an entry of the quarantine`()
        async throws
    {
        let store = try store()
        let dashboard = try SampleDashboard(store: store.store)
        let page = try await dashboard.page(Route.test(test, project: project).href)
        for part in [
            "<h2><bdi>Flaky</bdi></h2>", "an attempt failed in 1 of 4 runs, 25.0 % (95 %: 4.5–70.0 %)",
            "Looked at: 4 runs of exact trees since 2025-07-06.", "waited 31 ms",
            "kanmon quarantine --owner=&#39;@tests&#39; --until=2026-01-16 --reason=&#39;failed in 1 of 4 runs since 2025-07-06&#39;",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        let answer = try await data(Address(.test(test, project: project), isData: true).href, dashboard)
        let flakiness = try #require(answer["flakiness"] as? [String: Any])
        #expect(flakiness["kind"] as? String == "flaky")
        #expect((flakiness["hours"] as? [Any])?.count == 24)
        #expect((flakiness["messages"] as? [[String: Any]])?.map { $0["message"] as? String } == ["waited 31 ms"])
        #expect((flakiness["proposal"] as? [String: Any])?["owner"] as? String == "@tests")
        #expect(answer["window"] == nil)
        let steady = SampleRuns.passing().tests[1].id
        #expect(try await !dashboard.page(Route.test(steady, project: project).href).contains("Proposed quarantine"))
        let other = try await data(Address(.test(steady, project: project), isData: true).href, dashboard)
        #expect(other["flakiness"] == nil)
        #expect(other["data"] != nil)
    }

    @Test func `a quarantine that ends soon and what a retry hid are shown wherever somebody looks`() async throws {
        let store = try store()
        let dashboard = try SampleDashboard(store: store.store)
        let home = try await dashboard.page("/")
        for part in ["Quarantine that ends soon", "14 days left", "<bdi>@qa</bdi>", "1 green by a retry"] {
            #expect(home.contains(part), "\(part)")
        }
        let page = try await dashboard.page(Route.project(project).href)
        for part in ["Quarantine that ends soon", "CoreTests.<wbr>Zoo/<wbr>slow", "In 1 green run of the last 30 days"]
        {
            #expect(page.contains(part), "\(part)")
        }
        #expect(
            try await dashboard.page(Route.feed(project: project).href)
                .contains("<title>the quarantine of CoreTests.Zoo/slow ends on 2026-01-16</title>"))
        for (owner, isThere) in [("@qa", true), ("@tests", false)] {
            let feed = try await dashboard.page(Route.feed(project: project, owner: owner).href)
            #expect(feed.contains("the quarantine of CoreTests.Zoo/slow") == isThere, "\(owner)")
        }
        let metrics = try await dashboard.page("/metrics")
        #expect(metrics.contains("\nkanmon_quarantine_ending{project=\"\(project)\"} 1\n"))
        #expect(metrics.contains("\nkanmon_green_by_retry{project=\"\(project)\"} 1\n"))
        let answer = try await data("/index.json", dashboard)
        let entry = try #require((answer["data"] as? [[String: Any]])?.first)
        #expect(entry["hiddenFlakes"] as? Int == 1)
        let expiring = [["test": "CoreTests.Zoo/slow", "owner": "@qa", "expires": "2026-01-16"]]
        #expect(entry["expiring"] as? [[String: String]] == expiring)
    }

    @Test func `a quarantine that does not end within two weeks is not shown`() async throws {
        let store = try store()
        let dashboard = try SampleDashboard(
            store: store.store, clock: { SampleRuns.moment.addingTimeInterval(-86_400) })
        for route in [Route.home(), .project(project)] {
            #expect(try await !dashboard.page(route.href).contains("Quarantine that ends soon"))
        }
        #expect(try await !dashboard.page(Route.feed(project: project).href).contains("<entry>"))
        #expect(
            try await dashboard.page("/metrics").contains("\nkanmon_quarantine_ending{project=\"\(project)\"} 0\n"))
    }

    @Test func `the description names what stands beside the data`() async throws {
        let paths = try #require(try await data("/openapi.json", SampleDashboard())["paths"] as? [String: Any])
        func properties(_ path: String) -> [String] {
            var value: Any? = paths[path]
            for key in ["get", "responses", "200", "content", "application/json", "schema", "properties"] {
                value = (value as? [String: Any])?[key]
            }
            return (value as? [String: Any])?.keys.sorted() ?? []
        }
        #expect(properties("/flaky.json") == ["data", "next", "schemaVersion", "window"])
        #expect(properties("/test.json") == ["data", "flakiness", "next", "schemaVersion"])
        #expect(properties("/slow.json") == ["data", "next", "schemaVersion"])
    }
}
