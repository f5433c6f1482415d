import Pages
import RunModel
import Testing

@testable import Dashboard

@Suite struct ServedPageTests {
    private static let run = ResponderTests.run

    /// Every address but those that only differ from these in their values.
    private static let routes = ServedPages.samples(of: run)

    @Test func `every kind of address has samples of its kind, and all kinds together each address once`() {
        for kind in ServedPages.Kind.allCases {
            let samples = kind.samples(of: Self.run)
            #expect(!samples.isEmpty && samples.allSatisfy { $0.kind == kind }, "\(kind)")
        }
        #expect(Set(Self.routes).count == Self.routes.count)
    }

    @Test func `every page that describes its data is in the description, once`() {
        let paths = OpenAPIDescription.paths.map(\.path)
        #expect(Set(paths).count == paths.count)
        for route in Self.routes {
            #expect(Set(paths).isSuperset(of: type(of: route.served).description.map(\.path)), "\(route.href)")
        }
        #expect(Set(paths).isSuperset(of: ["/index.json", "/runs.json", "/flaky.json", "/runs/{run}/evidence.json"]))
    }

    @Test func `a page describes its data where its address has them`() {
        for route in Self.routes {
            let isAddress = (try? Address(target: Address(route, isData: true).href)) != nil
            #expect(type(of: route.served).description.isEmpty != isAddress, "\(route.href)")
        }
    }

    @Test func `a badge is kept by its address, and a feed by that of the dashboard, too`() {
        let kept = Self.routes.filter { $0.served.caching != .never }
        #expect(Set(kept) == [.badge(project: "p"), .feed(project: "p")])
        #expect(Route.badge(project: "p").served.caching == .byAddress)
        #expect(Route.feed(project: "p").served.caching == .byAddressAndRoot)
    }

    /// A page that says no more than it has to.
    private struct PlainPage: ServedPage {
        var rights: PageRights { .anyReader }

        func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer { throw Refusal.notFound }
    }

    @Test func `a page may be told unchanged only if it says so, and asks no git and no run in progress`() throws {
        let server = try SampleDashboard().responder
        #expect(!PlainPage().isLasting(server))
        let changing = Self.routes.filter { !$0.served.isLasting(server) }
        #expect(
            Set(changing) == [
                .machines(), .branch("b", project: "p"), .compare(Self.run, Self.run),
                .latest(project: "p"), .commit("9f3c"), .permalink(project: "p", .latest), .live(Self.run),
                .events(Self.run), .evidence(Self.run), .evidence(Self.run, file: "f"), .metrics, .health,
                .readiness, .list(.unverified, project: "p"),
            ])
    }

    @Test func `what is open to everybody is the same for everybody`() {
        let open = Self.routes.filter { $0.served.rights == .open }
        #expect(Set(open) == [.stylesheet, .icon, .script, .health, .readiness])
    }

    @Test func `a page needs the rights of the project and of all runs in its address`() {
        let (first, second) = (RunID(milliseconds: 1, random: (1, 1)), RunID(milliseconds: 2, random: (2, 2)))
        #expect(Route.compare(first, second).served.rights == .runs([first, second]))
        #expect(Route.runs().served.rights == .anyReader)
        #expect(Route.runs(before: first).served.rights == .runs([first]))
        #expect(Route.runs(project: "p", before: first).served.rights == .projectAndRuns("p", [first]))
        for list in ProjectListKind.allCases { #expect(Route.list(list, project: "p").served.rights == .project("p")) }
    }
}
