import Foundation
import Gate
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard
@testable import Storage

/// Lists of tests that are kept to one tag, as the router answers them.
@Suite struct TagFilterTests {
    /// Tags are untrusted: a manifest that was delivered may have any text.
    private static let hostile = [
        SampleRuns.hostile, "\"><script>alert(1)</script>", ".a&tag=.b#c?d=%2e/../e", ".\u{202E}wols", " ", "+", "é",
        "e\u{301}",
    ]

    private let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-tags-\(UUID())")
    private let dashboard: SampleDashboard
    private let run: TestRun
    private var project: String { run.project }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try RunStore(path: folder.appending(path: "kanmon.sqlite").path())
        var runs = [SampleRuns.passing(1), SampleRuns.passing(2)]
        for index in runs.indices {
            let tags = [["slow", ".slow"], [".slow", ".Net.http"], [], Self.hostile]
            runs[index].tests = tags.enumerated().map { number, tags in
                let outcome: Outcome = number == 3 ? .knownIssue : index == 0 ? .failed : .passed
                return TestResult(
                    id: TestID(module: "M", suite: "S", name: "t\(number)()"), library: .swiftTesting, outcome: outcome,
                    tags: tags,
                    attempts: [
                        TestAttempt(
                            outcome: outcome, duration: .milliseconds(number + 1),
                            issues: [Issue(message: "announced", isKnown: true)])
                    ])
            }
            _ = try store.ingest(runs[index], verdict: Verdict(judging: runs[index], by: Policy()), runDirectory: nil)
        }
        run = runs[1]
        dashboard = try SampleDashboard(store: store)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The names of the tests in the data behind a page.
    private func names(_ route: Route) async throws -> [String] {
        let text = try await dashboard.page(Address(route, isData: true).href)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let entries = try #require(object["data"] as? [[String: Any]])
        return entries.compactMap { ($0["test"] as? [String: Any])?["name"] as? String }.sorted()
    }

    private func lists(_ tag: String?) -> [Route] {
        [.tests(run.id, target: "M", tag: tag)]
            + [.flaky, .slow, .known].map { .list($0, project: project, tag: tag) }
    }

    @Test func `a list has the tests with the tag, with and without its dot, and no other`() async throws {
        defer { remove() }
        for tag in [".slow", "slow"] {
            #expect(try await names(.tests(run.id, target: "M", tag: tag)) == ["t0()", "t1()"])
            #expect(try await names(.list(.flaky, project: project, tag: tag)) == ["t0()", "t1()"])
            #expect(try await names(.list(.slow, project: project, tag: tag)) == ["t0()", "t1()"])
            #expect(try await names(.list(.known, project: project, tag: tag)) == [])
        }
        #expect(try await names(.tests(run.id, target: "M", tag: "Net.http")) == ["t1()"])
        for tag in [".net.http", ".Net", ".slow ", "..slow"] {
            for route in lists(tag) { #expect(try await names(route) == []) }
        }
        #expect(try await names(.tests(run.id, target: "M")).count == 4)
    }

    @Test func `a page without a test of that tag says so, and leads back`() async throws {
        defer { remove() }
        for (route, all) in zip(lists("none"), lists(nil)) {
            let page = try await dashboard.page(route.href)
            #expect(page.contains("has the tag."))
            #expect(page.contains("<a href=\"\(all.href.replacing("&", with: "&amp;"))\">Show all</a>"))
        }
        #expect(await dashboard.ask(Route.tests(run.id, target: "none", tag: ".slow").href).status == 404)
    }

    @Test func `each tag is a link to the list of it, and the form and the heads keep tag and order`() async throws {
        defer { remove() }
        let order = ListOrder(.name)
        for route in [
            Route.tests(run.id, target: "M", tag: ".slow", order: order),
            .list(.slow, project: project, tag: ".slow", order: order),
        ] {
            let page = try await dashboard.page(route.href)
            let other = route.href.replacing(".slow", with: ".Net.http").replacing("&", with: "&amp;")
            #expect(page.contains("<span class=\"tag\"><a href=\"\(other)\">"))
            #expect(page.contains("<input name=\"tag\" value=\".slow\">"))
            #expect(page.contains("<input type=\"hidden\" name=\"sort\" value=\"name\">"))
            #expect(page.contains("&amp;tag=.slow&amp;sort=name&amp;order=desc"))
        }
    }

    @Test func `a hostile tag is only text, and its link leads to the tests that have it`() async throws {
        defer { remove() }
        for route in lists(nil) where !route.href.contains("flaky") {
            let page = try await dashboard.page(route.href)
            #expect(!page.contains("<script>alert") && !page.contains("\u{202E}wols\""))
        }
        for tag in Self.hostile {
            let route = Route.tests(run.id, target: "M", tag: tag)
            #expect(try Route(target: route.href) == route)
            #expect(try await names(route) == ["t3()"])
            let page = try await dashboard.page(route.href)
            #expect(page.contains("t3()") && !page.contains("t2()") && !page.contains("<script>alert"))
            #expect(page.contains("href=\"\(route.href.replacing("&", with: "&amp;"))\""))
        }
        let page = try await dashboard.page(Route.test(run.tests[3].id, project: project).href)
        #expect(page.contains("<span class=\"tag\"><a href=\"/search?q=") && !page.contains("<script>alert"))
    }

    @Test func `a list without tests has no tag, and two tags are refused`() async throws {
        defer { remove() }
        #expect(try Route(target: "/exclusions?project=p&tag=x") == .list(.exclusions, project: "p"))
        #expect(try Route(target: "/slow?project=p&tag=") == .list(.slow, project: "p"))
        #expect(await dashboard.ask("/slow?project=p&tag=a&tag=b").status == 400)
        #expect(await dashboard.ask("/slow?project=p&tag=%FF").status == 400)
    }
}
