import Access
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// Readers: who gets in, and what exists for them.
@Suite struct SignInTests {
    private let tokens: TokenFolder

    init() throws { tokens = try TokenFolder() }

    private static let form: HTTPFields = {
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let name = HTTPField.Name("Sec-Fetch-Site") { fields[name] = "same-origin" }
        return fields
    }()

    private func fields(_ name: String, _ value: String) throws -> HTTPFields {
        [try #require(HTTPField.Name(name)): value]
    }

    private func signIn(
        _ dashboard: SampleDashboard, _ secret: String, to target: String = "/", cookie: String? = nil
    ) async throws -> SampleDashboard.Message {
        var fields = Self.form
        fields[.cookie] = cookie
        return try await dashboard.send(.post, "/sign-in", Array("token=\(secret)&to=\(target)".utf8), fields: fields)
    }

    private func session(_ reply: SampleDashboard.Message) throws -> String {
        String(try #require(reply["Set-Cookie"]).prefix { $0 != ";" })
    }

    @Test func `without tokens this machine reads as before, and any other address is closed`() async throws {
        #expect(try await tokens.dashboard().send(.get, "/").status == 200)
        #expect(try await tokens.dashboard(reading: .never).send(.get, "/").status == 401)
        #expect(try await tokens.dashboard(reading: .always).send(.get, "/").status == 200)
        _ = try tokens.token("one", .submit)
        #expect(try await tokens.dashboard().send(.get, "/").status == 401)
        #expect(try await tokens.dashboard(reading: .always).send(.get, "/").status == 200)
    }

    @Test func `nothing but the sign-in page is shown to strangers`() async throws {
        _ = try tokens.token("one", .read)
        let dashboard = try tokens.dashboard()
        for route in ServedPages.samples(of: ResponderTests.run) where route.served.rights != .open {
            let reply = try await dashboard.send(.get, route.href)
            #expect(reply.status == 401, "\(route.href)")
            #expect(reply["WWW-Authenticate"] == "Bearer")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(!reply.text.contains("video"))
        }
        for target in ["/runs.json", "/index.json", "/search.json?q=a"] {
            #expect(try await dashboard.send(.get, target).text == "{\"error\":{\"status\":401}}\n")
        }
        for target in ["/healthz", "/assets/kanmon.css", "/assets/kanmon.svg", "/assets/kanmon.js", "/sign-in"] {
            #expect(try await dashboard.send(.get, target).status == 200)
        }
    }

    @Test func `a reader signs in, reads, and signs out`() async throws {
        let secret = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        let asked = try await dashboard.send(.get, "/search?q=a%26b")
        #expect(asked.text.contains("name=\"to\" value=\"/search?q=a%26b\""))
        #expect(asked["Referrer-Policy"] == "same-origin")
        let reply = try await signIn(dashboard, secret, to: "/search?q%3Da%2526b")
        #expect(reply.status == 303)
        #expect(reply["Location"] == "/search?q=a%26b")
        let field = try #require(reply["Set-Cookie"])
        #expect(field.hasSuffix("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict"))
        let cookie: HTTPFields = [.cookie: try session(reply)]
        let page = try await dashboard.send(.get, "/", fields: cookie)
        #expect(page.status == 200)
        #expect(page["Vary"] == "Authorization, Cookie")
        #expect(page["Cache-Control"] == "private, no-cache")
        #expect(try await dashboard.send(.get, "/sign-in", fields: cookie).text.contains("anna"))
        var leaving = Self.form
        leaving[.cookie] = cookie[.cookie]
        let left = try await dashboard.send(.post, "/sign-out", fields: leaving)
        #expect(left.status == 303)
        #expect(left["Set-Cookie"] == "kanmon_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
        #expect(try await dashboard.send(.get, "/", fields: cookie).status == 401)
    }

    @Test func `a session ends with its token, and after a week`() async throws {
        let secret = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        let cookie: HTTPFields = [.cookie: try session(try await signIn(dashboard, secret))]
        #expect(try await dashboard.send(.get, "/", fields: cookie).status == 200)
        try tokens.file.revoke("anna", at: SampleRuns.moment)
        #expect(try await dashboard.send(.get, "/", fields: cookie).status == 401)
        let sessions = SessionList()
        let other = try tokens.token("ben", .read)
        let token = try #require(try TokenRegistry(tokens.file).token(of: other, at: SampleRuns.moment))
        let id = sessions.open(token, at: SampleRuns.moment)
        #expect(sessions.find(id, at: SampleRuns.moment + SessionList.lifetime - 1) != nil)
        #expect(sessions.find(id, at: SampleRuns.moment + SessionList.lifetime) == nil)
    }

    @Test func `behind TLS the cookie is secure, and stays below the public path`() async throws {
        let secret = try tokens.token("anna", .read)
        let base = try #require(BaseURL("https://ci.example/kanmon/"))
        let dashboard = try tokens.dashboard(configuration: DashboardConfiguration(baseURL: base))
        let reply = try await signIn(dashboard, secret, to: "/kanmon/runs")
        #expect(reply["Location"] == "/kanmon/runs")
        #expect(
            reply["Set-Cookie"]?.hasSuffix("; Path=/kanmon/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure") == true
        )
    }

    @Test func `with a certificate of its own the cookie is secure, and the address begins with https`() async throws {
        let secret = try tokens.token("anna", .read)
        let configuration = DashboardConfiguration(tls: TLSFiles(certificate: "/c", key: "/k"))
        let reply = try await signIn(try tokens.dashboard(configuration: configuration), secret)
        #expect(reply["Set-Cookie"]?.hasSuffix("; Secure") == true)
        #expect(configuration.link(to: .tcp(host: "::1", port: 1)) == "https://[::1]:1/")
        #expect(configuration.link(to: .unixSocket(path: "/s")) == "/s")
        #expect(DashboardConfiguration().link(to: .tcp(host: "a", port: 1)) == "http://a:1/")
    }

    @Test(arguments: [
        ("Sec-Fetch-Site", "cross-site", 403), ("Sec-Fetch-Site", "same-site", 403), ("Sec-Fetch-Site", "none", 403),
        ("Sec-Fetch-Site", "same-origin", 303), ("Origin", "http://localhost", 303), ("Origin", "null", 403),
        ("Origin", "https://evil.example", 403), ("Origin", "http://localhost.evil.example", 403), ("X", "y", 403),
    ])
    func `a form of another site signs nobody in or out`(name: String, value: String, status: Int) async throws {
        let secret = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        var given = try fields(name, value)
        given[.contentType] = "application/x-www-form-urlencoded"
        let reply = try await dashboard.send(.post, "/sign-in", Array("token=\(secret)".utf8), fields: given)
        #expect(reply.status == status)
        #expect((reply["Set-Cookie"] != nil) == (status == 303))
        #expect(try await dashboard.send(.post, "/sign-out", fields: given).status == status)
    }

    @Test func `a session that was planted is never the one that is opened`() async throws {
        let secret = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        let planted = "kanmon_session=" + String(repeating: "a", count: 64)
        let reply = try await signIn(dashboard, secret, cookie: planted)
        let own = try session(reply)
        #expect(own != planted)
        #expect(try await dashboard.send(.get, "/", fields: [.cookie: planted]).status == 401)
        #expect(try await dashboard.send(.get, "/", fields: [.cookie: own]).status == 200)
        // Whoever plants cookies of that name locks nobody out.
        for cookies in ["\(own); \(planted)", "\(planted); \(own)", "kanmon_session=; kanmon_session=x; \(own)"] {
            #expect(try await dashboard.send(.get, "/", fields: [.cookie: cookies]).status == 200, "\(cookies)")
        }
        // Whoever signs in again leaves the old session.
        let next = try session(try await signIn(dashboard, secret, cookie: own))
        #expect(next != own)
        #expect(try await dashboard.send(.get, "/", fields: [.cookie: own]).status == 401)
    }

    @Test func `of several sessions the first with a valid token counts, and signing out ends all`() async throws {
        let (one, other) = (try tokens.token("anna", .read), try tokens.token("ben", .read))
        let dashboard = try tokens.dashboard()
        let (first, second) = (
            try session(try await signIn(dashboard, one)), try session(try await signIn(dashboard, other))
        )
        let both: HTTPFields = [.cookie: "\(first); \(second)"]
        #expect(try await dashboard.send(.get, "/sign-in", fields: both).text.contains("anna"))
        try tokens.file.revoke("anna", at: SampleRuns.moment)
        #expect(try await dashboard.send(.get, "/sign-in", fields: both).text.contains("ben"))
        var leaving = Self.form
        leaving[.cookie] = both[.cookie]
        #expect(try await dashboard.send(.post, "/sign-out", fields: leaving).status == 303)
        #expect(try await dashboard.send(.get, "/", fields: [.cookie: second]).status == 401)
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/nothing", "",
    ])
    func `signing in leads to the dashboard only`(target: String) async throws {
        let secret = try tokens.token("anna", .read)
        #expect(try await signIn(try tokens.dashboard(), secret, to: target)["Location"] == "/")
    }

    @Test func `the wrong token signs nobody in, and one for deliveries neither`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard()
        let wrong = try await signIn(dashboard, "kanmon_x")
        #expect(wrong.status == 401 && wrong["Set-Cookie"] == nil)
        let other = try await signIn(dashboard, secret)
        #expect(other.status == 403 && other["Set-Cookie"] == nil)
        #expect(try await dashboard.send(.post, "/sign-in", Array("token=a".utf8)).status == 403)
    }

    @Test func `too many wrong tokens from one address are refused, and a right one still passes`() async throws {
        let secret = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        for _ in 0..<10 { #expect(try await dashboard.send(.get, "/", token: "kanmon_x").status == 401) }
        let refused = try await dashboard.send(.get, "/", token: "kanmon_x")
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "60")
        #expect(try await dashboard.send(.get, "/api/v1/whoami", token: "kanmon_x").status == 429)
        #expect(try await signIn(dashboard, "kanmon_x").status == 429)
        #expect(try await dashboard.send(.get, "/", token: secret).status == 200)
        #expect(try await dashboard.send(.get, "/", token: "kanmon_x", from: "192.0.2.2").status == 401)
    }

    @Test func `projects that a reader may not see do not exist`() async throws {
        let store = try SampleStore()
        var hidden = SampleRuns.failing()
        hidden.project = "secret/plans"
        hidden.origin = RunHost(host: "secret/agent")
        hidden.delivery = DeliveryRecord(token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        try store.ingest(SampleRuns.passing())
        var verdict = SampleStore.verdict(hidden)
        let entry = QuarantineEntry(
            test: "secret/test", owner: "secret/ana", reason: "slow", expires: CalendarDay(SampleRuns.moment))
        verdict.quarantine = [QuarantineStatus(entry: entry)]
        try store.ingest(hidden, verdict)
        let (one, all) = (try tokens.token("one", .read, projects: ["example/*"]), try tokens.token("all", .read))
        let dashboard = try tokens.dashboard(store: store)
        let test = try #require(hidden.tests.first?.id)
        let routes: [String] = [
            "/project?project=secret/plans", "/runs?project=secret/plans", "/runs/\(hidden.id)",
            "/runs/\(hidden.id).json",
            "/runs/\(hidden.id)/evidence", "/runs/\(hidden.id)/policy", "/runs/\(hidden.id)/coverage",
            "/badge.svg?project=secret/plans", "/regressions.atom?project=secret/plans", "/flaky?project=secret/plans",
            "/flaky.json?project=secret/plans", "/project.json?project=secret/plans",
            "/test.json?project=secret/plans&module=\(test.module)&suite=\(test.suite)&name=\(test.name)",
            "/exceptions.json?project=secret/plans", "/p/secret/plans/latest", "/latest?project=secret/plans",
            "/branch.json?project=secret/plans&branch=main",
            "/compare?before=\(SampleRuns.passing().id)&after=\(hidden.id)", "/runs?before=\(hidden.id)",
            "/test?project=secret/plans&module=\(test.module)&suite=\(test.suite)&name=\(test.name)",
        ]
        for route in routes {
            let (seen, unseen) = (
                try await dashboard.send(.get, route, token: all), try await dashboard.send(.get, route, token: one)
            )
            #expect(unseen.status == 404, "\(route)")
            // Whoever has any answer to it has none.
            let known = try await dashboard.send(.get, route, fields: [.ifNoneMatch: "*"], token: one)
            #expect(known.status == 404 && known.text == unseen.text, "\(route)")
            if !route.hasPrefix("/test"), !route.contains("compare") { #expect(seen.status != 404, "\(route)") }
        }
        for route in [
            "/", "/wall", "/runs", "/runs.json", "/machines", "/machines.json", "/index.json", "/metrics",
            "/?sort=name", "/index.json?sort=runs&order=asc", "/machines?sort=name", "/machines.json?sort=runs",
            "/search?q=a",
            "/search.json?q=\(hidden.id.short)",
        ] {
            let reply = try await dashboard.send(.get, route, token: one)
            #expect(reply.status == 200, "\(route)")
            #expect(!reply.text.contains("secret/") && !reply.text.contains(hidden.id.description), "\(route)")
            #expect(try await dashboard.send(.get, route, token: all).text != reply.text, "\(route)")
        }
    }

    @Test func `what one reader has is not new for another`() async throws {
        let (one, all) = (try tokens.token("one", .read, projects: ["x"]), try tokens.token("all", .read))
        let dashboard = try tokens.dashboard()
        let tag = try #require(try await dashboard.send(.get, "/", token: all)["ETag"])
        #expect(try await dashboard.send(.get, "/", fields: [.ifNoneMatch: tag], token: all).status == 304)
        #expect(try await dashboard.send(.get, "/", fields: [.ifNoneMatch: tag], token: one).status == 200)
        #expect(try await dashboard.send(.get, "/", fields: [.ifNoneMatch: tag]).status == 401)
    }
}
