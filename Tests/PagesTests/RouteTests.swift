import Gate
import Pages
import RunModel
import TestSupport
import Testing

@Suite struct RouteTests {
    private static let id = SampleRuns.id(1)

    @Test(arguments: [
        (Route.home(), "/"), (.wall, "/wall"), (.machines(), "/machines"), (.runs(), "/runs"),
        (.home(kept: "failed", order: ListOrder(.name)), "/?verdict=failed&sort=name&order=asc"),
        (.home(kept: "none"), "/?verdict=none"), (.machines(order: ListOrder(.runs)), "/machines?sort=runs&order=desc"),
        (.machines(kept: "working-copy"), "/machines?trust=working-copy"),
        (
            .list(.exceptions, project: "a", kept: "@é &", order: ListOrder(.expires)),
            "/exceptions?project=a&owner=%40%C3%A9%20%26&sort=expires&order=asc"
        ),
        (.list(.owners, project: "a", order: ListOrder(.slow)), "/owners?project=a&sort=slow&order=desc"),
        (.list(.selection, project: "a", kept: "missed"), "/selection?project=a&kind=missed"),
        (.list(.unverified, project: "a", kept: "none"), "/unverified?project=a&verdict=none"),
        (.list(.exclusions, project: "a", kept: "matches-nothing"), "/exclusions?project=a&kind=matches-nothing"),
        (.runs(project: "example/video-kit"), "/runs?project=example/video-kit"),
        (.runs(project: "a&b=c d+e%", before: id), "/runs?project=a%26b%3Dc%20d%2Be%25&before=\(id)"),
        (
            .runs(
                project: "p",
                filter: RunFilter(
                    branch: "a/b &", decision: .failed, author: "花 子", since: CalendarDay("2026-01-31"),
                    until: CalendarDay("2026-02-28"))),
            "/runs?project=p&branch=a/b%20%26&verdict=failed&author=%E8%8A%B1%20%E5%AD%90&since=2026-01-31&until=2026-02-28"
        ),
        (
            .runs(project: "p", before: id, filter: RunFilter(decision: .failed), order: ListOrder(.duration)),
            "/runs?project=p&verdict=failed&sort=duration&order=desc&before=\(id)"
        ),
        (.list(.flaky, project: "a", order: ListOrder(.name)), "/flaky?project=a&sort=name&order=asc"),
        (
            .list(.flaky, project: "a", tag: "t", kept: "broken", order: ListOrder(.rate)),
            "/flaky?project=a&tag=t&kind=broken&sort=rate&order=desc"
        ),
        (
            .tests(id, target: "t", order: ListOrder(.outcome, isDescending: false)),
            "/runs/\(id)/tests?target=t&sort=outcome&order=asc"
        ),
        (.coverage(id, order: ListOrder(.missed)), "/runs/\(id)/coverage?sort=missed&order=desc"),
        (.project("日本/🇯🇵"), "/project?project=%E6%97%A5%E6%9C%AC/%F0%9F%87%AF%F0%9F%87%B5"),
        (.branch("fix/a b", project: "p"), "/branch?project=p&branch=fix/a%20b"),
        (.list(.slow, project: "a", tag: ".a b&"), "/slow?project=a&tag=.a%20b%26"),
        (
            .tests(id, target: "t", tag: "<é>", order: ListOrder(.name)),
            "/runs/\(id)/tests?target=t&tag=%3C%C3%A9%3E&sort=name&order=asc"
        ),
        (.list(.flaky, project: "a"), "/flaky?project=a"), (.list(.known, project: "a"), "/known-issues?project=a"),
        (
            .test(TestID(module: "M", suite: "", name: "`a b`()"), project: "p"),
            "/test?project=p&module=M&suite=&name=%60a%20b%60%28%29"
        ),
        (
            .test(TestID(module: "M", suite: "S/T", name: "f", discriminator: "A.swift"), project: "p"),
            "/test?project=p&module=M&suite=S/T&name=f&file=A.swift"
        ),
        (.compare(id, SampleRuns.id(2)), "/compare?before=\(id)&after=\(SampleRuns.id(2))"),
        (.search("か + い"), "/search?q=%E3%81%8B%20%2B%20%E3%81%84"), (.latest(project: "p"), "/latest?project=p"),
        (.latest(project: "p", branch: "fix/a"), "/latest?project=p&branch=fix/a"),
        (.commit("9f3c"), "/commit?id=9f3c"),
        (.coverage(id), "/runs/\(id)/coverage"),
        (.coverage(id, module: "a/b &"), "/runs/\(id)/coverage?module=a/b%20%26"), (.description, "/openapi.json"),
        (.policy(id), "/runs/\(id)/policy"), (.policy(id, line: Percentage("79.5")), "/runs/\(id)/policy?line=79.5"),
        (.permalink(project: "example.com/a b", .latest), "/p/example.com/a%20b/latest"),
        (.permalink(project: "a/latest", .commit("9F3c")), "/p/a/latest/commit/9F3c"),
        (.permalink(project: "日本/tree", .latest), "/p/%E6%97%A5%E6%9C%AC/tree/latest"),
        (.permalink(project: "p", .tree("9f3c2ab1")), "/p/p/tree/9f3c2ab1"),
        (.metrics, "/metrics"), (.badge(project: "p"), "/badge.svg?project=p"),
        (.feed(project: "p"), "/regressions.atom?project=p"),
        (.feed(project: "p", owner: "@a/b &", key: "k"), "/regressions.atom?project=p&owner=%40a/b%20%26&key=k"),
        (.list(.slow, project: "a", tag: "t", owner: "@é"), "/slow?project=a&tag=t&owner=%40%C3%A9"),
        (
            .list(.flaky, project: "a", owner: "@o", kept: "broken", order: ListOrder(.rate)),
            "/flaky?project=a&owner=%40o&kind=broken&sort=rate&order=desc"
        ),
        (.run(id), "/runs/\(id)"), (.live(id), "/runs/\(id)/live"), (.events(id), "/runs/\(id)/events"),
        (.script, "/assets/kanmon.js"),
        (.source(id, path: "Sources/Core/Core.swift"), "/runs/\(id)/source?path=Sources/Core/Core.swift"),
        (
            .source(id, path: "../\u{0}/é\u{301}🇯🇵"),
            "/runs/\(id)/source?path=../%00/%C3%A9%CC%81%F0%9F%87%AF%F0%9F%87%B5"
        ),
        (.who(id, path: "a b/&.swift", line: 12), "/runs/\(id)/who?path=a%20b/%26.swift&at=12"),
        (.tests(id, target: "a b/&"), "/runs/\(id)/tests?target=a%20b/%26"),
        (
            .tests(id, target: "t", order: ListOrder(.name), from: 3),
            "/runs/\(id)/tests?target=t&sort=name&order=asc&from=3"
        ),
        (.evidence(id), "/runs/\(id)/evidence"),
        (.evidence(id, file: "xunit/a b.xml"), "/runs/\(id)/evidence?file=xunit/a%20b.xml"),
        (.stylesheet, "/assets/kanmon.css"), (.icon, "/assets/kanmon.svg"), (.health, "/healthz"),
        (.readiness, "/healthz/ready"),
    ])
    func `an address is written and read back`(route: Route, href: String) throws {
        #expect(route.href == href)
        #expect(try Route(target: href) == route)
    }

    @Test func `the list of runs is still where it was before there was a first page`() throws {
        #expect(try Route(target: "/?project=p&before=\(Self.id)") == .runs(project: "p", before: Self.id))
    }

    @Test func `an order without a direction has the usual direction of its key`() throws {
        #expect(try Route(target: "/runs?sort=duration") == .runs(order: ListOrder(.duration, isDescending: true)))
        #expect(try Route(target: "/runs?sort=coverage") == .runs(order: ListOrder(.coverage, isDescending: false)))
        #expect(try Route(target: "/runs?sort=&order=") == .runs())
    }

    @Test func `what a list cannot be kept to is ignored, as is an empty field of a form`() throws {
        #expect(try Route(target: "/known-issues?project=p&owner=a&kind=b&trust=c") == .list(.known, project: "p"))
        #expect(try Route(target: "/slow?project=p&owner=&kind=b&trust=c") == .list(.slow, project: "p"))
        #expect(try Route(target: "/regressions.atom?project=p&owner=") == .feed(project: "p"))
        #expect(try Route(target: "/?verdict=&sort=&order=") == .home())
        #expect(try Address(target: "/index.json?project=p").route == .home())
        let kept = Address(.home(kept: "failed", order: ListOrder(.runs)), isData: true)
        #expect(kept.href == "/index.json?verdict=failed&sort=runs&order=desc")
        #expect(try Address(target: kept.href) == kept)
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
        "", "x", "//", "/runs/", "/flaky/", "/projects", "/badge", "/test/", "/runs/1", "/runs/\(id)/",
        "/runs/\(id)/source/", "/runs/\(id)/x?path=a",
        "/assets/", "/assets/../kanmon.css", "/assets/%2e%2e/kanmon.css", "/assets/kanmon.css/",
        "/assets/kanmon.css%00",
        "/p", "/p/", "/p/latest", "/p//latest", "/p/p", "/p/p/commit/", "/p/p/commit/9f3", "/p/p/commit/xyzw",
        "/p/commit/9f3c", "/p/p/9f3c2ab1", "/p/p/latest/", "/p/p/run/9f3c2ab1",
        "/healthz/", "/etc/passwd", "/../../etc/passwd", "http://localhost/", "*",
    ])
    func `no other address leads anywhere`(target: String) {
        #expect(throws: RouteError.notFound) { try Route(target: target) }
    }

    @Test(arguments: [
        "/?before=1", "/?before=", "/?project=%", "/?project=%4", "/?project=%zz", "/?project=%FF",
        "/?project=%ED%A0%80",
        "/?project=a&project=a", "/runs/\(id)/source", "/runs/\(id)/source?", "/runs/\(id)/source?path=a&path=b",
        "/runs/\(id)/tests", "/runs/\(id)/tests?path=a", "/project", "/test?project=p", "/test?module=m&name=n",
        "/compare?before=\(id)", "/compare?before=\(id)&after=x", "/latest", "/commit", "/runs/\(id)/policy?line=x",
        "/runs/\(id)/policy?line=101", "/flaky", "/badge.svg", "/runs?sort=commit", "/runs?sort=missed",
        "/branch?project=p", "/branch?branch=main",
        "/runs?sort=time&order=down", "/runs?sort=time&sort=time", "/flaky?project=p&sort=duration",
        "/unverified?project=p&sort=coverage", "/?sort=flips", "/?verdict=green", "/machines?trust=local",
        "/machines?sort=name&trust=ci&trust=ci", "/selection?project=p&kind=blue",
        "/unverified?project=p&verdict=passed", "/flaky?project=p&kind=red", "/flaky?project=p&sort=runs",
        "/runs/\(id)/tests?target=t&sort=coverage", "/runs/\(id)/coverage?sort=time",
        "/runs/\(id)/tests?target=t&from=0", "/runs/\(id)/tests?target=t&from=x",
    ])
    func `a malformed address differs from an unknown one`(target: String) {
        #expect {
            try Route(target: target)
        } throws: { error in
            if case RouteError.malformed = error { true } else { false }
        }
    }

    @Test(arguments: [
        (Address(.home(), isData: true), "/index.json"), (Address(.machines(), isData: true), "/machines.json"),
        (Address(.home(kept: "passed"), isData: true), "/index.json?verdict=passed"),
        (Address(.badge(project: "p"), isData: true), "/badge.json?project=p"),
        (Address(.run(id), isData: true), "/runs/\(id).json"), (Address(.run(id)), "/runs/\(id)"),
        (Address(.source(id, path: "a.json"), isData: true), "/runs/\(id)/source.json?path=a.json"),
        (Address(.source(id, path: "a.json")), "/runs/\(id)/source?path=a.json"),
        (Address(.permalink(project: "p", .latest), isData: true), "/p/p/latest.json"),
        (Address(.live(id), isData: true), "/runs/\(id)/live.json"),
        (Address(.permalink(project: "p", .commit("9f3c")), isData: true), "/p/p/commit/9f3c.json"),
        (Address(.description), "/openapi.json"), (Address(.runs(project: "p"), isData: true), "/runs.json?project=p"),
    ])
    func `the data of a page is at its address with an ending`(address: Address, href: String) throws {
        #expect(address.href == href)
        #expect(try Address(target: href) == address)
    }

    @Test(arguments: [
        "/.json", "/healthz.json", "/metrics.json", "/openapi.json.json",
        "/badge.svg.json?project=p",
        "/index.json.json", "/assets/kanmon.css.json",
        "/assets/kanmon.js.json", "/runs/\(id)/events.json", "/runs\u{600}.json", "/runs\u{301}",
    ])
    func `what is no page has no data`(target: String) {
        #expect(throws: RouteError.notFound) { try Address(target: target) }
    }
}
