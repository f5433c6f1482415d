import Access
import Foundation
import HTTPTypes
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// A proxy in front that says who its users are.
@Suite struct TrustedProxyTests {
    private let tokens: TokenFolder

    init() throws { tokens = try TokenFolder() }

    private func fields(_ pairs: [(String, String)]) throws -> HTTPFields {
        var fields: HTTPFields = [:]
        for (name, value) in pairs { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return fields
    }

    private func dashboard(
        _ addresses: [String] = ["192.0.2.1"], userHeader: String? = "X-User"
    ) throws -> SampleDashboard {
        try tokens.dashboard(
            reading: .never, proxy: TrustedProxy(addresses: addresses, userHeader: userHeader))
    }

    @Test func `a user that the proxy names reads everything, and others may see something else`() async throws {
        let reply = try await dashboard().send(.get, "/", fields: try fields([("x-user", "anna")]))
        #expect(reply.status == 200 && reply.text.contains("video-kit"))
        #expect(reply["Vary"] == "Authorization, Cookie")
        for target in ["/runs.json", "/badge.svg?project=example/video-kit"] {
            let reply = try await dashboard().send(.get, target, fields: try fields([("x-user", "anna")]))
            #expect(reply.status == 200, "\(target)")
            #expect(reply["Cache-Control"] == "private, no-cache", "\(target)")
        }
    }

    @Test(arguments: [[], [("X-User", "")], [("X-User", "anna"), ("X-User", "root")], [("X-Users", "anna")]])
    func `a request that names nobody, or two, has to sign in`(_ pairs: [(String, String)]) async throws {
        #expect(try await dashboard().send(.get, "/", fields: try fields(pairs)).status == 401)
    }

    @Test func `the header of anybody else is not believed`() async throws {
        let header = try fields([("X-User", "anna"), ("X-Forwarded-For", "192.0.2.1")])
        for stranger in ["192.0.2.2", "::1", "2001:db8::1"] {
            #expect(try await dashboard().send(.get, "/", fields: header, from: stranger).status == 401)
        }
        // The samples ask as over a socket in the file system.
        let overSocket = try dashboard([TrustedProxy.socket])
        #expect(await overSocket.ask("/", fields: header).status == 200)
        #expect(await (try dashboard()).ask("/", fields: header).status == 401)
    }

    @Test func `a user of the proxy delivers nothing`() async throws {
        let header = try fields([("X-User", "anna")])
        let id = "019b7c00-0000-7000-8000-000000000001"
        let reply = try await dashboard().send(.put, "/api/v1/runs/\(id)", try TokenFolder.list(), fields: header)
        #expect(reply.status == 401)
    }

    @Test func `failed attempts are counted by the address that the proxy adds`() async throws {
        _ = try tokens.token("one", .read)
        let dashboard = try dashboard(userHeader: nil)
        func attempt(_ forwarded: String) async throws -> Int {
            try await dashboard.send(
                .get, "/", fields: try fields([("X-Forwarded-For", forwarded)]), token: "kanmon_wrong"
            ).status
        }
        for _ in 0..<10 { #expect(try await attempt("198.51.100.7") == 401) }
        #expect(try await attempt("198.51.100.7") == 429)
        // What the client itself has sent stands before it.
        #expect(try await attempt("203.0.113.9, 198.51.100.7") == 429)
        #expect(try await attempt("198.51.100.7, 203.0.113.9") == 401)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
    ])
    func `an address is the same in all its spellings`(_ named: String, _ peer: String) throws {
        let proxy = try #require(TrustedProxy(addresses: [named], userHeader: "X-User"))
        #expect(proxy.origin(of: try fields([("X-User", "anna")]), from: peer).user == "anna")
    }

    @Test func `what is no address and no header is refused`() {
        for address in ["", "localhost", "192.0.2", "192.0.2.1/24", "192.0.2.1:80"] {
            #expect(TrustedProxy(addresses: [address], userHeader: nil) == nil, "\(address)")
        }
        for header in ["", "X User", "X-User:"] {
            #expect(TrustedProxy(addresses: ["192.0.2.1"], userHeader: header) == nil, "\(header)")
        }
    }

    @Test func `a badge and a feed are shown to who has the key, and nothing else is`() async throws {
        _ = try tokens.token("one", .read)
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let keys = try AddressKeys(path: tokens.path + "/badge-secret")
        let dashboard = try tokens.dashboard(store: store, keys: keys)
        let (name, other) = ("example/video-kit", "example/other")
        func status(_ route: Route) async throws -> Int { try await dashboard.send(.get, route.href).status }
        let (badge, feed) = (keys.key(of: name, for: .badge), keys.key(of: name, for: .feed))
        #expect(try await status(.badge(project: name, key: badge)) == 200)
        #expect(try await status(.feed(project: name, key: feed)) == 200)
        for wrong in [keys.key(of: other, for: .badge), keys.key(of: other, for: .feed), "", nil] {
            #expect(try await status(.badge(project: name, key: wrong)) == 401)
            #expect(try await status(.feed(project: name, key: wrong)) == 401)
        }
        #expect(try await status(.badge(project: name, key: feed)) == 401)
        #expect(try await status(.feed(project: name, key: badge)) == 401)
        let data = try await dashboard.send(.get, "/badge.json?project=example%2Fvideo-kit&key=\(badge)")
        #expect(data.status == 200)
        for key in [badge, feed] {
            #expect(
                try await dashboard.send(.get, "/project?project=example%2Fvideo-kit&key=\(key)").status == 401)
        }
        let reader = try tokens.token("anna", .read)
        let page = try await dashboard.send(.get, Route.project(name).href, token: reader)
        #expect(page.text.contains("key=\(badge)") && page.text.contains("key=\(feed)"))
        // Whoever follows the feed reads it again by the address in it; the name of the feed does not change with the key.
        let text = try await dashboard.send(.get, Route.feed(project: name, key: feed).href).text
        #expect(
            text.contains(
                "rel=\"self\" href=\"http://localhost/regressions.atom?project=example/video-kit&amp;key=\(feed)\""))
        #expect(text.contains("<id>http://localhost/regressions.atom?project=example/video-kit</id>"))
    }

    @Test func `whoever has a key learns by no tag that something else was stored`() async throws {
        _ = try tokens.token("one", .read)
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let keys = try AddressKeys(path: tokens.path + "/badge-secret")
        let clock = MovingClock()
        let dashboard = try tokens.dashboard(store: store, keys: keys, clock: { clock.now })
        let name = "example/video-kit"
        let targets = [
            Route.badge(project: name, key: keys.key(of: name, for: .badge)).href,
            Route.feed(project: name, key: keys.key(of: name, for: .feed)).href,
        ]
        func tags() async throws -> [String?] {
            var tags: [String?] = []
            for target in targets { tags.append(try await dashboard.send(.get, target)["ETag"]) }
            return tags
        }
        let before = try await tags()
        var hidden = SampleRuns.failing()
        hidden.project = "hidden"
        try store.ingest(hidden)
        // What was made before is kept no longer.
        clock.pass(AnswerCache.lifetime)
        #expect(try await tags() == before && !before.contains(nil))
    }
}
