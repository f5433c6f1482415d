/// What a request asks for: a page, or the data behind it.
public struct Address: Sendable, Hashable {
    /// The page.
    public var route: Route
    /// Whether the data is asked for; the address is that of the page with `.json` at the end of its path.
    public var isData: Bool

    /// Reads the target of a request; the data of the first page is at `/index.json`, of a badge at `/badge.json`.
    public init(target: String) throws(RouteError) {
        let (path, rest) = target[...].halves(at: "?")
        guard Self.isOfData(target), path != "/openapi.json" else {
            route = try Route(target: target)
            isData = false
            return
        }
        isData = true
        let query = rest.map { "?" + $0 } ?? ""
        switch path {
        case "/index.json": route = .home
        case "/badge.json": route = try Route(target: "/badge.svg" + query)
        // Both have a name of their own for their data.
        case "/.json", "/badge.svg.json": throw .notFound
        default: route = try Route(target: String(Substring(path.utf8.dropLast(5))) + query)
        }
        guard route.hasData else { throw .notFound }
    }

    /// Whether the target of a request is written as that of data.
    public static func isOfData(_ target: String) -> Bool {
        target[...].halves(at: "?").before.utf8.suffix(5).elementsEqual(".json".utf8)
    }

    /// A page, or the data behind it.
    public init(_ route: Route, isData: Bool = false) {
        self.route = route
        self.isData = isData
    }

    /// The address as a link holds it.
    public var href: String {
        guard isData else { return route.href }
        let parts = route.href.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? "?" + parts[1] : ""
        switch route {
        case .home: return "/index.json"
        case .badge: return "/badge.json" + query
        default: return parts[0] + ".json" + query
        }
    }
}

extension Route {
    /// Whether there is data behind it.
    var hasData: Bool {
        switch self {
        case .home, .wall, .project, .list, .test, .compare, .search, .runs, .run, .tests, .source, .coverage, .policy,
            .badge, .latest, .commit, .permalink, .live:
            true
        case .feed, .stylesheet, .icon, .script, .events, .description, .metrics, .health: false
        }
    }
}
