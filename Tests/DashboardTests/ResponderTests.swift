import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage
import Synchronization
import TestSupport
import Testing
import Web

@testable import Dashboard

@Suite struct ResponderTests {
    static let run = SampleRuns.id(2)
    static let guarded = [
        "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
        "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
    ]

    @Test(arguments: [
        ("/", 200), ("/runs", 200), ("/project?project=example/video-kit", 200), ("/flaky?project=nobody", 404),
        ("/search?q=url", 200), ("/compare?before=\(run)&after=\(SampleRuns.id(50))", 404),
        ("/runs?project=example/video-kit", 200),
        ("/?before=\(run)", 200), ("/runs/\(run)", 200),
        ("/runs/\(run)/source?path=Sources/Core/URLRule.swift", 200),
        ("/runs/\(run)/tests?target=CoreTests", 200), ("/runs/\(run)/tests?target=coretests", 404),
        ("/runs/\(run)/source?path=Sources/tool/main.swift", 200), ("/?before=x", 400), ("/nothing", 404),
    ])
    func `a page comes with these headers and no others`(target: String, status: Int) async throws {
        let reply = try await SampleDashboard().ask(target)
        #expect(reply.status == status)
        let kept = ["Cache-Control: private, no-cache", "ETag: \(reply["ETag"] ?? "missing")"]
        let own = (status == 200 ? kept : ["Cache-Control: no-store"]) + ["Content-Type: text/html; charset=utf-8"]
        #expect(reply.lines == (Self.guarded + own + ["Content-Length: \(reply.bytes ?? -1)"]).sorted())
    }

    @Test func `a style sheet and an icon are kept by the browser and asked about again`() async throws {
        let dashboard = try SampleDashboard()
        for (target, type, file) in [
            ("/assets/kanmon.css", "text/css; charset=utf-8", WebFile.stylesheet),
            ("/assets/kanmon.svg", "image/svg+xml", .icon),
            ("/assets/kanmon.js", "text/javascript; charset=utf-8", .script),
        ] {
            let reply = await dashboard.ask(target)
            let tag = try #require(reply["ETag"])
            let own = [
                "Cache-Control: no-cache", "Content-Type: \(type)", "ETag: \(tag)",
                "Content-Length: \(file.embedded.count)",
            ]
            #expect(reply.status == 200)
            #expect(reply.lines == (Self.guarded + own).sorted())
            for known in [tag, "\"x\", \(tag)", "\(tag)\t, \"x\"", "W/\(tag)", "*"] {
                let again = await dashboard.ask(target, fields: [.ifNoneMatch: known])
                #expect(again.status == 304)
                #expect(again.bytes == 0)
            }
            #expect(await dashboard.ask(target, fields: [.ifNoneMatch: "\"x\""]).status == 200)
        }
    }

    @Test func `data is sent once and then only asked about, and its refusals are data, too`() async throws {
        let dashboard = try SampleDashboard()
        for target in [
            "/index.json", "/runs.json", "/runs/\(Self.run).json", "/openapi.json",
            "/badge.json?project=example/video-kit",
        ] {
            let reply = await dashboard.ask(target)
            let tag = try #require(reply["ETag"])
            let own = [
                "Cache-Control: no-cache", "Content-Type: application/json; charset=utf-8", "ETag: \(tag)",
                "Content-Length: \(reply.bytes ?? -1)",
            ]
            #expect(reply.status == 200)
            #expect(reply.lines == (Self.guarded + own).sorted())
            #expect(await dashboard.ask(target, fields: [.ifNoneMatch: tag]).status == 304)
        }
        for (target, status) in [
            ("/nothing.json", 404), ("/runs.json?before=x", 400), ("/runs.json?project=nobody", 404),
        ] {
            #expect(await dashboard.ask(target).status == status)
            #expect(try await dashboard.page(target) == "{\"error\":{\"status\":\(status)}}\n")
        }
    }

    @Test func `a screen on a wall asks again by itself`() async throws {
        let reply = try await SampleDashboard().ask("/wall")
        #expect(reply.status == 200)
        #expect(reply["Refresh"] == "30")
        #expect(try await SampleDashboard().page("/wall").contains("example/<wbr>video-<wbr>kit"))
    }

    @Test func `only the wallboard reloads after an error`() async throws {
        let store = try SampleStore()
        try store.lose()
        let base = try #require(BaseURL("https://ci.example/kanmon/"))
        let dashboard = try SampleDashboard(store: store.store, configuration: DashboardConfiguration(baseURL: base))
        for target in ["/wall", "/kanmon/wall"] {
            let reply = await dashboard.ask(target)
            #expect(reply.status == 500)
            #expect(reply["Refresh"] == "30")
        }
        #expect(await dashboard.ask("/wall", host: "evil.example")["Refresh"] == "30")
        for target in ["/", "/wall.json", "/wall/", "/nothing"] {
            #expect(await dashboard.ask(target)["Refresh"] == nil)
        }
    }

    @Test func `a badge may be shown by pages of other origins`() async throws {
        let reply = try await SampleDashboard().ask("/badge.svg?project=example/video-kit")
        #expect(reply.status == 200)
        let own = [
            "Cache-Control: no-cache", "Content-Type: image/svg+xml", "ETag: \(reply["ETag"] ?? "missing")",
            "Content-Length: \(reply.bytes ?? -1)", "Cross-Origin-Resource-Policy: cross-origin",
        ]
        let others = Self.guarded.filter { !$0.hasPrefix("Cross-Origin-Resource-Policy") }
        #expect(reply.lines == (others + own).sorted())
    }

    @Test func `a name is escaped in the metrics byte by byte`() async throws {
        let store = try SampleStore()
        var run = SampleRuns.passing()
        run.project = "a\r\nb\"\u{301}\\"
        try store.ingest(run)
        let page = try await SampleDashboard(store: store.store).page("/metrics")
        let lines = page.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.filter { $0.hasPrefix("kanmon_runs") } == ["kanmon_runs{project=\"a\r\\nb\\\"\u{301}\\\\\"} 1"])
    }

    @Test func `every metric is explained once where it is shown, and stands in the manual`() async throws {
        let manual = try String(contentsOf: Checkout.top.appending(path: "docs/admin.md"), encoding: .utf8)
        let missing = Metric.allCases.filter { metric in
            !["`", "{"].contains { manual.contains("`\(metric.rawValue)\($0)") }
        }
        #expect(missing == [])
        let page = try await SampleDashboard().page("/metrics")
        let words = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { $0.split(separator: " ").prefix(3) }
        let shown = words.map { $0.joined(separator: " ") }
        #expect(Set(shown).count == shown.count)
        #expect(shown.contains("# HELP kanmon_runs") && shown.contains("# TYPE kanmon_runs"))
        #expect(page.contains("# TYPE kanmon_answers_refused_total counter\n"))
        #expect(page.contains("# TYPE kanmon_answer_bytes gauge\n"))
    }

    @Test func `HEAD tells the length and sends nothing`() async throws {
        let dashboard = try SampleDashboard()
        let full = await dashboard.ask("/")
        let head = await dashboard.ask("/", method: .head)
        #expect(head.status == 200)
        #expect(head.lines == full.lines)
        #expect(head.bytes == 0)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, .options, .trace, .connect])
    func `nothing but reading is possible`(method: HTTPRequest.Method) async throws {
        let dashboard = try SampleDashboard()
        for route in ServedPages.samples(of: Self.run) {
            let reply = await dashboard.ask(route.href, method: method)
            #expect(reply.status == 405, "\(route.href)")
            #expect(reply["Allow"] == "GET, HEAD")
        }
    }

    @Test func `a request for a page carries no body`() async throws {
        let dashboard = try SampleDashboard()
        #expect(await dashboard.ask("/", fields: [.contentLength: "1"]).status == 413)
        #expect(await dashboard.ask("/", fields: [.transferEncoding: "chunked"]).status == 413)
        #expect(await dashboard.ask("/", fields: [.contentLength: "0"]).status == 200)
    }

    @Test(arguments: [(-1, 200), (0, 200), (1, 414)])
    func `an address is 8 KiB long at most`(excess: Int, status: Int) async throws {
        let start = "/?project=example/video-kit&x="
        let target = start + String(repeating: "a", count: 8192 + excess - start.utf8.count)
        #expect(try await SampleDashboard().ask(target).status == status)
    }

    @Test(arguments: [
        ("localhost", 200), ("LOCALHOST:80", 200), ("127.0.0.1:8080", 200), ("[::1]:8080", 200), ("[::1]", 200),
        ("ci.example.org", 200), ("evil.example", 421), ("localhost.evil.example", 421), ("localhost.", 421),
        ("127.0.0.1.evil.example", 421), ("evil.example:8080", 421), ("user@localhost", 421), ("localhost:", 421),
        ("localhost:x", 421), ("localhost:123456", 421), ("0.0.0.0", 421), ("::1", 421), ("127.1", 421), ("", 400),
    ])
    func `only known names are answered`(host: String, status: Int) async throws {
        let configuration = DashboardConfiguration(
            address: .tcp(host: "0.0.0.0", port: 8080), hostNames: ["CI.example.org"]
        )
        let reply = try await SampleDashboard(configuration: configuration).ask("/", host: host)
        #expect(reply.status == status)
        #expect(Set(Self.guarded).isSubset(of: reply.lines))
    }

    @Test(arguments: [
        ("ci.example.org:8720", "kanmon serve --allow-host ci.example.org"), ("-x", "--allow-host NAME"),
        ("a\"><b>", "--allow-host NAME"),
    ])
    func `an unknown host is told how to become known`(host: String, words: String) async throws {
        let page = try await SampleDashboard().page("/", host: host)
        #expect(page.contains(words))
        #expect(!page.contains("<b>"))
    }

    @Test func `an access log tells every request, and nothing that was sent along`() async throws {
        let entries = Mutex<[String]>([])
        let dashboard = try SampleDashboard(access: { entry in entries.withLock { $0.append(entry.description) } })
        let page = await dashboard.ask("/runs?project=secret")
        _ = await dashboard.ask("/no\u{1B}[31mthing?x", method: .head)
        _ = await dashboard.ask("/", host: "evil.example")
        let lines = entries.withLock { $0 }
        #expect(lines.count == 3)
        #expect(lines.first == "2026-01-02T05:04:05Z GET /runs 404 \(page.bytes ?? -1) bytes 0 ms")
        #expect(lines[1] == "2026-01-02T05:04:05Z HEAD /no?[31mthing 404 0 bytes 0 ms")
        #expect(lines[2].contains(" GET / 421 "))
    }

    @Test func `only this machine reaches the loopback address and a socket`() {
        for (address, isLocal) in [
            (DashboardConfiguration.Address.tcp(host: "127.0.0.1", port: 1), true), (.tcp(host: "::1", port: 1), true),
            (.tcp(host: "localhost", port: 1), true), (.tcp(host: "0.0.0.0", port: 1), false),
            (.tcp(host: "127.example.org", port: 1), false), (.unixSocket(path: "/s"), true),
        ] { #expect(address.isLocal == isLocal) }
    }

    @Test func `a request without a host, or with two, is refused`() async throws {
        let dashboard = try SampleDashboard()
        #expect(await dashboard.ask("/", host: nil).status == 400)
    }

    @Test(arguments: [
        "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../../etc/passwd",
        "/assets/%2e%2e%2fkanmon.css",
        "/assets/..%5c..%5cetc", "/assets//etc/passwd", "/assets/kanmon.css%00.png", "/assets/", "/web/",
        "/.git/config",
        "/runs/\(run)/source?path=../../../../etc/passwd", "/runs/\(run)/source?path=/etc/passwd",
        "/runs/\(run)/source?path=%2e%2e%2fetc%2fpasswd", "/runs/\(run)/source?path=Sources/Core/../Core/URLRule.swift",
        "/runs/\(run)/source?path=./Sources/Core/URLRule.swift", "/runs/\(run)/source?path=Sources//Core/URLRule.swift",
        "/runs/\(run)/source?path=Sources/Core/URLRule.swift%00", "/runs/\(run)/source?path=file:///etc/passwd",
        "/runs/\(run)/source?path=/proc/self/environ", "/runs/\(run)/source?path=",
        "/runs/\(run)/source?path=SOURCES/core",
        "/runs/../\(run)", "/runs/\(SampleRuns.id(77))",
        "/runs/\(SampleRuns.id(77))/source?path=Sources/Core/URLRule.swift",
        "/?before=\(SampleRuns.id(77))", "/?project=nobody", "/?project=' OR 1=1 --", "http://localhost/", "*", "",
    ])
    func `no path leads out, and the unknown is not found`(target: String) async throws {
        #expect(try await SampleDashboard().ask(target).status == 404)
    }

    @Test func `the pages show what was asked for`() async throws {
        let dashboard = try SampleDashboard()
        let list = try await dashboard.page("/runs")
        #expect(list.contains("3 runs"))
        let older = try await dashboard.page("/?before=\(Self.run)")
        #expect(older.contains("/runs/\(SampleRuns.id(1))") && !older.contains("/runs/\(Self.run)"))
        #expect(try await dashboard.page("/runs/\(Self.run)").contains("Blocked: 1 test failed, 1 test crashed"))
        let source = try await dashboard.page("/runs/\(Self.run)/source?path=\(SampleStore.core)")
        #expect(source.contains("let pattern: String"))
    }

    @Test func `an internal error is logged and not shown to the reader`() async throws {
        let store = try SampleStore()
        try store.lose()
        for target in ["/runs", "/runs/\(Self.run)", "/runs/\(Self.run)/source?path=a", "/healthz"] {
            let dashboard = try SampleDashboard(store: store.store)
            let reply = await dashboard.ask(target)
            #expect(reply.status == 500)
            #expect(Set(Self.guarded).isSubset(of: reply.lines))
            let told = "error a request failed error=\"open the store \(store.store.path): No such file or directory\""
            #expect(dashboard.log.lines.contains(told), "\(dashboard.log.lines)")
            let page = try await dashboard.page(target)
            #expect(!page.contains("kanmon.sqlite") && page.contains("incident-1"))
        }
    }

    @Test func `a damaged source costs the excerpts and not the verdict`() async throws {
        let store = try SampleStore()
        let run = SampleRuns.failing()
        let paths = RunPage.pathsToExcerpt(of: run).filter { $0 != SampleStore.core } + [SampleStore.core]
        try store.ingest(run, keeping: paths.map { ($0, SampleStore.text) })
        try store.damageSources(of: Self.run)
        let dashboard = try SampleDashboard(store: store.store)
        #expect(await dashboard.ask("/runs/\(Self.run)").status == 200)
        #expect(dashboard.log.lines.contains { $0.hasPrefix("warning a run is shown without its sources") })
        #expect(await dashboard.ask("/runs/\(Self.run)/source?path=\(SampleStore.core)").status == 500)
    }

    @Test func `health is plain text`() async throws {
        let reply = try await SampleDashboard().ask("/healthz")
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test func `a list of fifty-one runs goes on`() async throws {
        let dashboard = try SampleDashboard(store: try SampleStore.many.get().store)
        for (before, goesOn) in [(52, true), (51, false)] {
            let page = try await dashboard.page("/runs?project=example/video-kit&before=\(SampleRuns.id(before))")
            #expect(page.contains("rel=\"next\"") == goesOn)
        }
    }
}
