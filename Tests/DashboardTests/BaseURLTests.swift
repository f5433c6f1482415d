import Foundation
import HTTPTypes
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// The dashboard behind a proxy that serves it under a path of another host.
@Suite struct BaseURLTests {
    static let run = SampleRuns.id(2)
    /// The newest of many.
    static let newest = SampleRuns.id(60)

    private func dashboard(_ base: String) throws -> SampleDashboard {
        let url: BaseURL = try #require(BaseURL(base))
        return try SampleDashboard(configuration: DashboardConfiguration(baseURL: url))
    }

    @Test(arguments: [
        ("https://ci.example/kanmon/", "https://ci.example", "/kanmon", "ci.example"),
        ("HTTP://CI.example:8080", "http://ci.example:8080", "", "ci.example"),
        ("https://[::1]:8443/a/b.c~d", "https://[::1]:8443", "/a/b.c~d", "[::1]"),
        ("https://[::1]/", "https://[::1]", "", "[::1]"),
    ])
    func `an address is read`(text: String, root: String, path: String, host: String) throws {
        let base = try #require(BaseURL(text))
        #expect("\(base.root) \(base.path) \(base.hostName)" == "\(root) \(path) \(host)")
        #expect(BaseURL(base.description) == base)
    }

    @Test(arguments: [
        "", "ci.example", "ftp://ci.example/", "https://", "https:///kanmon", "https://a@ci.example/", "https://:80/",
        "https://ci.example/a//b", "https://ci.example/../a", "https://ci.example/a?b", "https://ci.example/a#b",
        "https://ci.example/a b", "https://ci.example/\"", "javascript:alert(1)",
    ])
    func `what is no such address is refused`(text: String) { #expect(BaseURL(text) == nil) }

    @Test(arguments: [
        "/", "/runs", "/project?project=example/video-kit", "/runs/\(run)", "/runs/\(run)/tests?target=CoreTests",
        "/runs/\(run)/source?path=Sources/Core/URLRule.swift", "/runs/\(run)/coverage", "/runs/\(run)/policy?line=90",
        "/search?q=url", "/flaky?project=example/video-kit", "/known-issues?project=example/video-kit", "/nothing",
    ])
    func `every link of a page is under the path, whether or not the proxy took it away`(target: String) async throws {
        let dashboard = try dashboard("https://ci.example/kanmon/")
        let page = try await dashboard.page(target)
        let links = page.matches(of: /(?:href|src|action)="([^"#]+)/).map { String($0.1) }
        #expect(links.contains("/kanmon/assets/kanmon.css"))
        #expect(links.filter { $0 != "/kanmon/" && !$0.hasPrefix("/kanmon/") } == [])
        #expect(try await dashboard.page("/kanmon" + target) == page)
    }

    @Test(arguments: ["/runs", "/runs?before=\(newest)", "/runs?project=example/video-kit&before=\(newest)"])
    func `the links of a list that goes on, and of its projects, are under the path`(target: String) async throws {
        let base = try #require(BaseURL("https://ci.example/kanmon/"))
        let dashboard = try SampleDashboard(
            store: try SampleStore.many.get().store, configuration: DashboardConfiguration(baseURL: base))
        let page = try await dashboard.page(target)
        let links = page.matches(of: /href="([^"#]+)/).map { String($0.1) }
        #expect(links.filter { $0 != "/kanmon/" && !$0.hasPrefix("/kanmon/") } == [])
        #expect(page.contains("rel=\"next\" href=\"/kanmon/runs?"))
        #expect(page.contains("rel=\"first\" href=\"/kanmon/runs") == target.contains("before"))
        #expect(page.contains("href=\"/kanmon/runs?project=other\"") != target.contains("project"))
    }

    @Test func `redirects, feeds, lists and the description are written for the path`() async throws {
        let base = try #require(BaseURL("https://ci.example/kanmon/"))
        let dashboard = try SampleDashboard(
            store: try SampleStore.many.get().store, configuration: DashboardConfiguration(baseURL: base))
        let latest = await dashboard.ask("/kanmon/p/example/video-kit/latest")
        #expect(latest.status == 302)
        #expect(latest["Location"] == "/kanmon/runs/\(Self.newest)")
        let latestData = await dashboard.ask("/p/example/video-kit/latest.json")
        #expect(latestData["Location"] == "/kanmon/runs/\(Self.newest).json")
        let list = try await dashboard.page("/kanmon/runs.json?project=example/video-kit")
        #expect(list.contains("\"next\":\"/kanmon/runs.json?project=example/video-kit&before=\(SampleRuns.id(11))\""))
        let feed = try await dashboard.page("/regressions.atom?project=example/video-kit")
        #expect(feed.contains("<id>https://ci.example/kanmon/regressions.atom?project=example/video-kit</id>"))
        #expect(try await dashboard.page("/openapi.json").contains("\"url\" : \"/kanmon/\""))
    }

    @Test(arguments: [
        ("/kanmon", 200), ("/kanmon/", 200), ("/kanmon?project=example/video-kit", 200), ("/kanmonx", 404),
        ("/kanmon/kanmon/", 404), ("/kanmon//", 404), ("/KANMON/", 404), ("/healthz", 200),
    ])
    func `only the path itself is taken away, and once`(target: String, status: Int) async throws {
        #expect(try await dashboard("https://ci.example/kanmon").ask(target).status == status)
    }

    @Test func `the name of the address is known, and what a request says of proxies is not believed`() async throws {
        let dashboard = try dashboard("https://ci.example:8443/kanmon/")
        #expect(await dashboard.ask("/", host: "CI.example").status == 200)
        #expect(await dashboard.ask("/", host: "ci.example.evil").status == 421)
        var fields: HTTPFields = [:]
        for name in ["X-Forwarded-Host", "X-Forwarded-Prefix", "X-Forwarded-Proto", "X-Original-URL", "Forwarded"] {
            fields[try #require(HTTPField.Name(name))] = "evil.example"
        }
        let plain = await dashboard.ask("/p/example/video-kit/latest")
        let forwarded = await dashboard.ask("/p/example/video-kit/latest", fields: fields)
        #expect(plain.lines == forwarded.lines)
        #expect(await dashboard.ask("/", host: "evil.example", fields: fields).status == 421)
    }
}
