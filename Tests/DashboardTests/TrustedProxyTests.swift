import Access
import Foundation
import HTTPTypes
import Pages
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

    @Test func `a badge is shown to who has its key, and nothing else is`() async throws {
        _ = try tokens.token("one", .read)
        let dashboard = try tokens.dashboard(badges: try BadgeKeys(path: tokens.path + "/badge-secret"))
        let keys = try BadgeKeys(path: tokens.path + "/badge-secret")
        let (name, other) = ("example/video-kit", "example/other")
        func status(_ route: Route) async throws -> Int { try await dashboard.send(.get, route.href).status }
        #expect(try await status(.badge(project: name, key: keys.key(of: name))) == 200)
        #expect(try await status(.badge(project: name, key: keys.key(of: other))) == 401)
        #expect(try await status(.badge(project: name, key: "")) == 401)
        #expect(try await status(.badge(project: name)) == 401)
        let data = try await dashboard.send(.get, "/badge.json?project=example%2Fvideo-kit&key=\(keys.key(of: name))")
        #expect(data.status == 200)
        #expect(
            try await dashboard.send(.get, "/project?project=example%2Fvideo-kit&key=\(keys.key(of: name))").status
                == 401)
        let reader = try tokens.token("anna", .read)
        let page = try await dashboard.send(.get, Route.project(name).href, token: reader)
        #expect(page.text.contains("key=\(keys.key(of: name))"))
    }
}
