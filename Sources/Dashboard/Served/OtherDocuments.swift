import Access
import HTTPTypes
import Pages
import Web

/// `/badge.svg`: the state of a project's default branch, as a picture.
///
/// Pages of other sites, such as a forge with the README, show it to whom no credential is needed for: with its key, or where anyone may
/// read. Where the browser brought a credential along, such a page could learn by the size of the picture what it may not see.
struct BadgePicture: LastingPage {
    let project: String
    let keyText: String?

    var rights: PageRights { .project(project) }
    var key: AddressKey? { keyText.map { AddressKey(key: $0, purpose: .badge, project: project) } }
    var isShared: Bool { true }
    var caching: CachePolicy { .byAddress }

    static let description = [
        DataDescription(
            path: "/badge.json", summary: "The badge of a project, in the format of shields.io.", query: ["project"],
            fields: nil, isList: false)
    ]

    private func badge(_ server: DashboardResponder) async throws -> Badge {
        Badge(try server.state(of: try await server.entry(of: project)))
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        Answer(
            status: .ok, contentType: "image/svg+xml", body: Array(try await badge(server).svg.utf8), isKept: true,
            isForEveryOrigin: !server.reader.isKnown)
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        Answer.data(Array(try DashboardResponder.encode(BadgeResponse(try await badge(server))).utf8))
    }
}

/// `/regressions.atom`: the tests that began to fail on the default branch, as a feed; all, or those of one owner.
struct FeedDocument: LastingPage {
    let project: String
    let owner: String?
    let keyText: String?

    var rights: PageRights { .project(project) }
    var key: AddressKey? { keyText.map { AddressKey(key: $0, purpose: .feed, project: project) } }
    var isShared: Bool { true }
    var caching: CachePolicy { .byAddressAndRoot }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let state = try server.watchedState(of: try await server.entry(of: project), ownedBy: owner)
        let feed = RegressionFeed(
            state, owner: owner, key: keyText, root: server.root(of: visit.request), links: server.links)
        return Answer(
            status: .ok, contentType: "application/atom+xml; charset=utf-8", body: Array(feed.xml.utf8), isKept: true)
    }
}

/// A style sheet, an icon or a script; not sent again to a browser that has it.
struct Asset: LastingPage {
    let file: WebFile
    let contentType: String

    var rights: PageRights { .open }
    var isFixed: Bool { true }
    var isShared: Bool { true }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        Answer(status: .ok, contentType: contentType, body: try server.webRoot.bytes(of: file), isKept: true)
    }
}

/// `/openapi.json`: what programs can ask.
struct DescriptionDocument: LastingPage {
    var rights: PageRights { .anyReader }
    var isShared: Bool { true }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        .data(try OpenAPIDescription.bytes(at: server.links.href(.home())))
    }
}

/// `/metrics`: the runs of every project and how its default branch stands, in the text format of Prometheus.
struct MetricsDocument: ServedPage {
    var rights: PageRights { .anyReader }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer { try await server.measure() }
}

/// `/healthz`: whether the store can be read.
struct HealthAnswer: ServedPage {
    var rights: PageRights { .open }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        _ = try server.store.page(project: nil, before: nil, limit: 1)
        return Answer(status: .ok, contentType: "text/plain; charset=utf-8", body: Array("ok\n".utf8))
    }
}

/// `/healthz/ready`: whether deliveries are taken, as far as that is up to the store of objects. Why not is for the log: anybody may ask.
struct ReadinessAnswer: ServedPage {
    var rights: PageRights { .open }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        guard server.deliveries?.followed()?.isAway == true else {
            return try await HealthAnswer().page(server, visit)
        }
        return Answer(
            status: .serviceUnavailable, contentType: "text/plain; charset=utf-8",
            body: Array("no delivery is taken: the objects do not answer\n".utf8), fields: [.retryAfter: "10"])
    }
}
