import Access
import Foundation
import HTTPTypes
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// Badges and feeds that are asked for again and again by those who need no credential.
@Suite struct AnswerCacheTests {
    private static let project = "example/video-kit"
    private let tokens: TokenFolder
    private let store: SampleStore
    private let keys: AddressKeys
    private let clock = MovingClock()

    init() throws {
        tokens = try TokenFolder()
        store = try SampleStore()
        keys = try AddressKeys(path: tokens.path + "/badge-secret")
        clock.pass(7200)
    }

    private func dashboard() throws -> SampleDashboard {
        let clock = clock
        return try tokens.dashboard(store: store, keys: keys, clock: { clock.now })
    }

    /// What is opened with keys: the badge as a picture and as data, and the feed.
    private var opened: [String] {
        let badge = Route.badge(project: Self.project, key: keys.key(of: Self.project, for: .badge))
        return [
            badge.href, Address(badge, isData: true).href,
            Route.feed(project: Self.project, key: keys.key(of: Self.project, for: .feed)).href,
        ]
    }

    @Test func `whoever has a key asks the store nothing within ten seconds`() async throws {
        let reader = try tokens.token("anna", .read)
        try store.ingest(SampleRuns.passing())
        let dashboard = try dashboard()
        var texts: [String] = []
        for target in opened {
            let reply = try await dashboard.send(.get, target)
            #expect(reply.status == 200, "\(target)")
            texts.append(reply.text)
        }
        // From now on every question fails.
        try store.lose()
        clock.pass(9)
        for (target, text) in zip(opened, texts) {
            let reply = try await dashboard.send(.get, target)
            #expect((reply.status, reply.text) == (200, text), "\(target)")
            let tag = try #require(reply["ETag"])
            #expect(try await dashboard.send(.get, target, fields: [.ifNoneMatch: tag]).status == 304)
            // Nobody else is given what is kept.
            let plain = String(target.prefix { $0 != "&" })
            #expect(try await dashboard.send(.get, plain).status == 401)
            #expect(try await dashboard.send(.get, plain + "&key=x").status == 401)
            #expect(try await dashboard.send(.get, plain, token: reader).status == 500)
        }
        clock.pass(1)
        for target in opened { #expect(try await dashboard.send(.get, target).status == 500, "\(target)") }
    }

    @Test func `what is kept is the same whatever is stored, and made anew after ten seconds`() async throws {
        _ = try tokens.token("anna", .read)
        try store.ingest(SampleRuns.passing())
        let dashboard = try dashboard()
        let badge = opened[0]
        #expect(try await dashboard.send(.get, badge).text.contains("✓ passed"))
        try store.ingest(SampleRuns.failing())
        #expect(try await dashboard.send(.get, badge).text.contains("✓ passed"))
        clock.pass(10)
        #expect(try await dashboard.send(.get, badge).text.contains("✕ blocked"))
    }

    @Test func `where anyone may read, what is kept is never older than the store`() async throws {
        try store.ingest(SampleRuns.passing())
        let dashboard = try dashboard()
        let badge = Route.badge(project: Self.project).href
        #expect(try await dashboard.send(.get, badge).text.contains("✓ passed"))
        #expect(dashboard.responder.kept.figures.count == 1)
        try store.ingest(SampleRuns.failing())
        #expect(try await dashboard.send(.get, badge).text.contains("✕ blocked"))
        #expect(dashboard.responder.kept.figures.count == 1)
    }

    @Test func `a feed is kept for the host that it names`() async throws {
        try store.ingest(SampleRuns.passing())
        let dashboard = try dashboard()
        let feed = Route.feed(project: Self.project).href
        for host in ["localhost", "127.0.0.1", "localhost"] {
            #expect(try await dashboard.page(feed, host: host).contains("<id>http://\(host)/regressions.atom"))
        }
    }

    @Test func `pages of other sites show a badge only where no credential is needed for it`() async throws {
        try store.ingest(SampleRuns.passing())
        let dashboard = try dashboard()
        let badge = Route.badge(project: Self.project).href
        func policy(_ target: String, token: String? = nil) async throws -> String? {
            let reply = try await dashboard.send(.get, target, token: token)
            #expect(reply.status == 200, "\(target)")
            return reply["Cross-Origin-Resource-Policy"]
        }
        // Without tokens this machine reads.
        #expect(try await policy(badge) == "cross-origin")
        let reader = try tokens.token("anna", .read)
        #expect(try await policy(opened[0]) == "cross-origin")
        #expect(try await policy(opened[0], token: reader) == "cross-origin")
        #expect(try await policy(badge, token: reader) == "same-origin")
        #expect(try await policy(opened[1]) == "same-origin")
        #expect(try await policy("/", token: reader) == "same-origin")
    }

    @Test func `so many are kept, of so many bytes, and the oldest go`() {
        let (kept, moment) = (AnswerCache(), SampleRuns.moment)
        func keep(_ number: Int, _ bytes: Int) {
            kept.keep(
                .data(Array(repeating: 0, count: bytes)), as: Name("\(number)"), of: nil,
                at: moment.addingTimeInterval(Double(number) / 1_000))
        }
        func isKept(_ number: Int) -> Bool {
            kept.find(Name("\(number)"), of: nil, at: moment.addingTimeInterval(5)) != nil
        }
        for number in 0...AnswerCache.most { keep(number, 10) }
        #expect(kept.figures == (AnswerCache.most, 10 * AnswerCache.most))
        #expect(!isKept(0) && isKept(1) && isKept(AnswerCache.most))
        keep(AnswerCache.most, 20)
        #expect(kept.figures == (AnswerCache.most, 10 * AnswerCache.most + 10))
        keep(2_000, AnswerCache.largest + 1)
        #expect(!isKept(2_000))
        for number in 2_001...2_100 { keep(number, AnswerCache.largest) }
        #expect(kept.figures.bytes <= AnswerCache.mostBytes)
        #expect(!isKept(2_001) && isKept(2_100))
    }

    @Test func `names of projects that differ in their bytes are two`() {
        let hrefs = ["\u{E9}", "e\u{301}"].map { Name(Route.badge(project: $0).href) }
        #expect(hrefs[0] != hrefs[1])
    }
}
