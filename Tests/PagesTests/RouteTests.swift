import Pages
import RunModel
import TestSupport
import Testing

@Suite struct RouteTests {
    private static let id = SampleRuns.id(1)

    @Test(arguments: [
        (Route.runs(), "/"),
        (.runs(project: "example/video-kit"), "/?project=example/video-kit"),
        (.runs(project: "a&b=c d+e%", before: id), "/?project=a%26b%3Dc%20d%2Be%25&before=\(id)"),
        (.run(id), "/runs/\(id)"),
        (.source(id, path: "Sources/Core/Core.swift"), "/runs/\(id)/source?path=Sources/Core/Core.swift"),
        (
            .source(id, path: "../\u{0}/é\u{301}🇯🇵"),
            "/runs/\(id)/source?path=../%00/%C3%A9%CC%81%F0%9F%87%AF%F0%9F%87%B5"
        ),
        (.tests(id, target: "a b/&"), "/runs/\(id)/tests?target=a%20b/%26"),
        (.stylesheet, "/assets/kanmon.css"), (.icon, "/assets/kanmon.svg"), (.health, "/healthz"),
    ])
    func `an address is written and read back`(route: Route, href: String) throws {
        #expect(route.href == href)
        #expect(try Route(target: href) == route)
    }

    @Test func `a path of two normal forms stays two paths`() throws {
        let composed = Route.source(Self.id, path: "\u{E9}.swift").href
        let decomposed = Route.source(Self.id, path: "e\u{301}.swift").href
        #expect(composed != decomposed)
    }

    @Test func `a hostile name becomes an address of unreserved bytes`() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?=%".utf8)
        let href = Route.source(Self.id, path: SampleRuns.hostile).href
        #expect(Set(href.utf8).subtracting(allowed).isEmpty)
    }

    @Test(arguments: [
        "", "x", "//", "/runs", "/runs/", "/runs/1", "/runs/\(id)/", "/runs/\(id)/source/", "/runs/\(id)/x?path=a",
        "/assets/", "/assets/../kanmon.css", "/assets/%2e%2e/kanmon.css", "/assets/kanmon.css/",
        "/assets/kanmon.css%00",
        "/healthz/", "/etc/passwd", "/../../etc/passwd", "http://localhost/", "*",
    ])
    func `no other address leads anywhere`(target: String) {
        #expect(throws: RouteError.notFound) { try Route(target: target) }
    }

    @Test(arguments: [
        "/?before=1", "/?before=", "/?project=%", "/?project=%4", "/?project=%zz", "/?project=%FF",
        "/?project=%ED%A0%80",
        "/?project=a&project=a", "/runs/\(id)/source", "/runs/\(id)/source?", "/runs/\(id)/source?path=a&path=b",
        "/runs/\(id)/tests", "/runs/\(id)/tests?path=a",
    ])
    func `an address that is written wrongly is told apart`(target: String) {
        #expect {
            try Route(target: target)
        } throws: { error in
            if case RouteError.malformed = error { true } else { false }
        }
    }
}
