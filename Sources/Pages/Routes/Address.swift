/// What a request asks for: a page, or the data behind it.
public struct Address: Sendable, Hashable {
    /// The page.
    public var route: Route
    /// Whether the data is requested; the address is that of the page with `.json` at the end of its path.
    public var isData: Bool

    /// Reads the target of a request; the data of the first page is at `/index.json`, of a badge at `/badge.json`.
    public init(target: String) throws(RouteError) {
        let (path, query) = target[...].halves(at: "?")
        isData = Self.isOfData(path: path) && path != "/openapi.json"
        guard isData else {
            route = try Route(path: path, query: query)
            return
        }
        switch path {
        case "/index.json": route = try Route.firstPage(AddressQuery(query ?? ""))
        case "/badge.json": route = try Route(path: "/badge.svg", query: query)
        // The data of both has another name.
        case "/.json", "/badge.svg.json": throw .notFound
        default: route = try Route(path: Substring(path.utf8.dropLast(5)), query: query)
        }
        guard route.hasData else { throw .notFound }
    }

    /// Whether the target of a request has the form of data.
    public static func isOfData(_ target: String) -> Bool {
        isOfData(path: target[...].halves(at: "?").before)
    }

    private static func isOfData(path: Substring) -> Bool { path.utf8.suffix(5).elementsEqual(".json".utf8) }

    /// A page, or the data behind it.
    public init(_ route: Route, isData: Bool = false) { (self.route, self.isData) = (route, isData) }

    /// The address in a link.
    public var href: String {
        guard isData else { return route.href }
        let parts = route.href.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count == 2 ? "?" + parts[1] : ""
        switch route {
        case .home: return "/index.json" + query
        case .badge: return "/badge.json" + query
        default: return parts[0] + ".json" + query
        }
    }
}
