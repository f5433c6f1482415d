import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import Synchronization
import TestSupport
import Testing
import Web

@testable import Dashboard

/// By which tag a page is asked about again.
@Suite struct TagTests {
    private static let page = "/runs/\(SampleRuns.id(1))/tests?target=CoreTests"

    @Test func `a page has another tag when the store has changed, a minute has passed, or another host is asked`()
        async throws
    {
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let now = Mutex(SampleRuns.moment)
        let dashboard = try SampleDashboard(store: store.store, clock: { now.withLock { $0 } })
        var tags: [String?] = []
        func ask(_ target: String = Self.page, host: String = "localhost") async {
            let reply = await dashboard.ask(target, host: host)
            #expect(reply.status == 200)
            tags.append(reply["ETag"])
        }
        for _ in 0..<2 { await ask() }
        now.withLock { $0 += 5 }
        await ask()
        #expect(Set(tags).count == 1 && tags[0] != nil)
        try store.ingest(SampleRuns.failing())
        await ask()
        now.withLock { $0 += 60 }
        await ask()
        await ask(host: "127.0.0.1")
        await ask(Self.page.replacing("/tests", with: "/tests.json"))
        #expect(Set(tags).count == 5)
    }

    @Test func `a page that is known is not sent again, and one of the server before is`() async throws {
        let dashboard = try SampleDashboard()
        let tag = try #require(await dashboard.ask(Self.page)["ETag"])
        let known = await dashboard.ask(Self.page, fields: [.ifNoneMatch: tag])
        #expect((known.status, known.bytes) == (304, 0))
        #expect(known.lines == ["Cache-Control: private, no-cache", "ETag: \(tag)"])
        #expect(try await SampleDashboard().ask(Self.page, fields: [.ifNoneMatch: tag]).status == 200)
    }

    @Test func `whoever says to have any answer is told of no address that has none`() async throws {
        let dashboard = try SampleDashboard()
        let any: HTTPFields = [.ifNoneMatch: "*"]
        #expect(await dashboard.ask(Self.page, fields: any).status == 304)
        for target in [
            "/runs/\(SampleRuns.id(99))", "/runs/\(SampleRuns.id(99)).json", "/branch?project=x&branch=y", "/nothing",
        ] {
            let (plain, asked) = (await dashboard.ask(target), await dashboard.ask(target, fields: any))
            #expect(plain.status == 404 && asked.status == 404 && plain.lines == asked.lines, "\(target)")
        }
    }

    @Test func `a reader of some projects has tags that change with what they may read, and with nothing else`()
        async throws
    {
        let tokens = try TokenFolder()
        let (store, clock) = (try SampleStore(), MovingClock())
        let own = SampleRuns.passing()
        try store.ingest(own)
        var hidden = SampleRuns.failing()
        hidden.project = "hidden"
        let submit = try tokens.token("ci", .attest)
        let secret = try tokens.token("reader", .read, projects: [own.project])
        let dashboard = try tokens.dashboard(store: store, clock: { clock.now })
        let targets = [
            "/", "/wall", "/runs", "/runs.json", "/metrics", "/project?project=\(own.project)", "/runs/\(own.id)",
            "/search?q=a",
        ]
        func answers() async throws -> [[String]] {
            var found: [[String]] = []
            for target in targets {
                let reply = try await dashboard.send(.get, target, token: secret)
                found.append([reply.text] + reply.headers.map { "\($0.name): \($0.value)" }.sorted())
            }
            return found
        }
        let before = try await answers()
        #expect(before.allSatisfy { $0.contains { $0.hasPrefix("ETag: ") } || $0.contains("Cache-Control: no-store") })
        try store.ingest(hidden)
        var live = LiveRun(
            runID: RunID(of: "hidden", seed: "s", at: clock.now), project: "hidden", revision: nil,
            startedAt: clock.now, folder: "",
            isPartial: false)
        live.seed = "s"
        #expect(
            try await dashboard.send(.put, "/api/v1/live/\(live.runID)", try live.encoded(), token: submit).status
                == 200)
        #expect(try await answers() == before)
        let home = try #require(try await dashboard.send(.get, "/", token: secret)["ETag"])
        #expect(try await dashboard.send(.get, "/", fields: [.ifNoneMatch: home], token: secret).status == 304)
        try store.ingest(SampleRuns.passing(5))
        #expect(try await dashboard.send(.get, "/", fields: [.ifNoneMatch: home], token: secret).status == 200)
    }

    @Test func `a style sheet has the same tag for as long as the server runs`() async throws {
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let dashboard = try SampleDashboard(store: store.store)
        let tag = await dashboard.ask("/assets/kanmon.css")["ETag"]
        try store.ingest(SampleRuns.failing())
        #expect(tag != nil)
        #expect(await dashboard.ask("/assets/kanmon.css")["ETag"] == tag)
    }

    @Test func `what tells of more than the store, and pages whose templates are worked on, have no tag`() async throws
    {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web").standardized.path
        let dashboard = try SampleDashboard(configuration: DashboardConfiguration(webRoot: .folder(web)))
        #expect(await dashboard.ask(Self.page)["ETag"] == nil)
        let reply = try await SampleDashboard().ask("/unverified?project=example/video-kit")
        #expect((reply.status, reply["ETag"]) == (200, nil))
    }
}
