public import Gate
public import RunModel

/// An address of the dashboard: the only table for writing links and reading requests.
public enum Route: Sendable, Hashable {
    /// The first page: every project with its state, or the projects with one state.
    case home(kept: String? = nil, order: ListOrder? = nil)
    /// The same for a screen on a wall.
    case wall
    /// The machines that deliver runs, or those of one class of trust.
    case machines(kept: String? = nil, order: ListOrder? = nil)
    /// One project.
    case project(String)
    /// One branch of a project: what fails there now.
    case branch(String, project: String)
    /// A list of one project's tests or rules; of its tests also those with one tag or of one owner, of others what they are kept to.
    case list(
        ProjectListKind, project: String, tag: String? = nil, owner: String? = nil, kept: String? = nil,
        order: ListOrder? = nil)
    /// One test over its runs.
    case test(TestID, project: String)
    /// What changed from one run to another.
    case compare(RunID, RunID)
    /// The results of a search: tests, files, commits.
    case search(String)
    /// The latest run of a project, on one branch or on any: a redirect.
    case latest(project: String, branch: String? = nil)
    /// The latest run of a commit: a redirect.
    case commit(String)
    /// A redirect to a run of a project: its latest, that of a commit, that of a tree.
    case permalink(project: String, Permalink)
    /// The state of a project's default branch, as a picture. With its key, everybody may see it.
    case badge(project: String, key: String? = nil)
    /// The regressions of a project, all or those of one owner, as an Atom feed. With its key, everybody may read it.
    case feed(project: String, owner: String? = nil, key: String? = nil)
    /// The list of runs, of one project or of all; `before` continues the list after that run.
    case runs(
        project: String? = nil, before: RunID? = nil, filter: RunFilter = RunFilter(), order: ListOrder? = nil)
    /// One run; with a commit, by its full hash, as an earlier run of the same tree is judged for that.
    case run(RunID, commit: String? = nil)
    /// A run in progress.
    case live(RunID)
    /// The changes on that page, as server-sent events.
    case events(RunID)
    /// The tests of one target in one run, all or those with one tag; `from` continues the list with the test at that place.
    case tests(RunID, target: String, tag: String? = nil, order: ListOrder? = nil, from: Int? = nil)
    /// One source file of a run.
    case source(RunID, path: String)
    /// The tests that execute a line of a source file.
    case who(RunID, path: String, line: Int)
    /// The coverage of a run as a map and a tree, of all modules or of one.
    case coverage(RunID, module: String? = nil, order: ListOrder? = nil)
    /// The files that a run left behind, or one of them as it is.
    case evidence(RunID, file: String? = nil)
    /// The style sheet.
    case stylesheet
    /// The icon.
    case icon
    /// The script.
    case script
    /// The policy of a run, and the result with another floor.
    case policy(RunID, line: Percentage? = nil)
    /// The OpenAPI description.
    case description
    /// The runs of every project and the state of its default branch, for Prometheus.
    case metrics
    /// Whether the server answers.
    case health
    /// Whether the server takes deliveries.
    case readiness

    /// The address in a link: ASCII only, relative to the server.
    public var href: String {
        switch self {
        case .home(let kept, let order):
            return Self.address("/", Self.value(kept, of: .projects) + order.query)
        case .wall: return "/wall"
        case .machines(let kept, let order):
            return Self.address("/machines", Self.value(kept, of: .machines) + order.query)
        case .project(let name): return Self.address("/project", [("project", name)])
        case .branch(let name, let project):
            return Self.address("/branch", [("project", project), ("branch", name)])
        case .list(let list, let project, let tag, let owner, let kept, let order):
            return Self.address(
                "/\(list.rawValue)",
                [("project", project), ("tag", tag), ("owner", owner)] + Self.value(kept, of: list.filter)
                    + order.query)
        case .test(let id, let project):
            return Self.address(
                "/test",
                [
                    ("project", project), ("module", id.module), ("suite", id.suite), ("name", id.name),
                    ("file", id.discriminator.isEmpty ? nil : id.discriminator),
                ])
        case .compare(let first, let second):
            return Self.address("/compare", [("before", first.description), ("after", second.description)])
        case .search(let text): return Self.address("/search", [("q", text)])
        case .latest(let project, let branch):
            return Self.address("/latest", [("project", project), ("branch", branch)])
        case .commit(let commit): return Self.address("/commit", [("id", commit)])
        case .permalink(let project, let link): return "/p/\(PercentEncoding.encode(project))/\(link.steps)"
        case .badge(let project, let key): return Self.address("/badge.svg", [("project", project), ("key", key)])
        case .feed(let project, let owner, let key):
            return Self.address("/regressions.atom", [("project", project), ("owner", owner), ("key", key)])
        case .runs(let project, let before, let filter, let order):
            return Self.address(
                "/runs",
                [
                    ("project", project), ("branch", filter.branch), ("verdict", filter.decision?.rawValue),
                    ("author", filter.author), ("since", filter.since?.description),
                    ("until", filter.until?.description),
                ] + order.query + [("before", before?.description)])
        case .run(let id, let commit): return Self.address("/runs/\(id)", [("commit", commit)])
        case .live(let id): return "/runs/\(id)/live"
        case .events(let id): return "/runs/\(id)/events"
        case .tests(let id, let target, let tag, let order, let from):
            return Self.address(
                "/runs/\(id)/tests",
                [("target", target), ("tag", tag)] + order.query + [("from", from.map { String($0) })])
        // The file's path is a query value and not part of the URL path, where browsers would resolve a hostile `..`.
        case .source(let id, let path): return "/runs/\(id)/source?path=\(PercentEncoding.encode(path))"
        case .who(let id, let path, let line):
            return Self.address("/runs/\(id)/who", [("path", path), ("at", String(line))])
        case .coverage(let id, let module, let order):
            return Self.address("/runs/\(id)/coverage", [("module", module)] + order.query)
        case .evidence(let id, let file): return Self.address("/runs/\(id)/evidence", [("file", file)])
        case .stylesheet: return "/assets/kanmon.css"
        case .icon: return "/assets/kanmon.svg"
        case .script: return "/assets/kanmon.js"
        case .policy(let id, let line): return Self.address("/runs/\(id)/policy", [("line", line?.description)])
        case .description: return "/openapi.json"
        case .metrics: return "/metrics"
        case .health: return "/healthz"
        case .readiness: return "/healthz/ready"
        }
    }

    /// What a list is kept to, as an address has it.
    private static func value(_ kept: String?, of filter: ListFilter?) -> [(name: String, value: String?)] {
        guard let filter else { return [] }
        return [(name: filter.key.rawValue, value: kept)]
    }

    /// A path and its query values; `nil` is omitted.
    private static func address(_ path: String, _ query: [(name: String, value: String?)]) -> String {
        var address = path
        var mark = "?"
        for (name, value) in query {
            guard let value else { continue }
            for part in [mark, name, "=", PercentEncoding.encode(value)] { address += part }
            mark = "&"
        }
        return address
    }
}

extension Route {
    /// Whether there is data behind it.
    var hasData: Bool {
        switch self {
        case .home, .wall, .machines, .project, .branch, .list, .test, .compare, .search, .runs, .run, .tests, .source,
            .who, .coverage, .policy,
            .badge, .latest, .commit, .permalink, .live:
            true
        case .evidence(_, let file): file == nil
        case .feed, .stylesheet, .icon, .script, .events, .description, .metrics, .health, .readiness:
            false
        }
    }
}

extension Route {
    /// Reads the target of a request, such as `/runs/…/source?path=Sources/Core.swift`.
    ///
    /// Only the spelling that `href` writes is accepted; a path is never normalized, so that `..` has no meaning.
    public init(target: String) throws(RouteError) {
        let (path, query) = target[...].halves(at: "?")
        try self.init(path: path, query: query)
    }

    /// - Parameters:
    ///   - path: The part before the question mark.
    ///   - query: The part after it; `nil` if there is none.
    init(path: Substring, query: Substring?) throws(RouteError) {
        let query = try AddressQuery(query ?? "")
        let steps = path.parts(between: "/")
        guard steps.count >= 2, steps[0].isEmpty else { throw .notFound }
        switch (steps[1], steps.count) {
        // The list of runs was once the first page; its old addresses still work.
        case ("", 2) where query.project != nil || query.before != nil:
            self = .runs(project: query.project, before: query.before)
        case ("", 2): self = try Self.firstPage(query)
        case ("wall", 2): self = .wall
        case ("machines", 2):
            self = .machines(
                kept: try query.kept(by: .machines), order: try query.order(by: ListColumns.machines.sortKeys))
        case ("runs", 2):
            self = .runs(
                project: query.project.filled, before: query.before, filter: try query.filter(),
                order: try query.order(by: ListColumns.runs.sortKeys))
        case ("project", 2): self = .project(try query.require(query.project, "project"))
        case ("branch", 2):
            self = .branch(
                try query.require(query.branch, "branch"), project: try query.require(query.project, "project"))
        case ("test", 2): self = .test(try query.test(), project: try query.require(query.project, "project"))
        case ("compare", 2):
            self = .compare(try query.require(query.before, "before"), try query.require(query.after, "after"))
        case ("search", 2): self = .search(query.text ?? "")
        case ("latest", 2): self = .latest(project: try query.require(query.project, "project"), branch: query.branch)
        case ("commit", 2): self = .commit(try query.require(query.commit, "id"))
        case ("p", 4...): self = try Self.permalink(steps.dropFirst(2))
        case ("badge.svg", 2): self = .badge(project: try query.require(query.project, "project"), key: query.key)
        case ("regressions.atom", 2):
            self = .feed(
                project: try query.require(query.project, "project"), owner: query.owner.filled, key: query.key)
        case (let name, 2) where ProjectListKind(rawValue: String(name)) != nil:
            guard let list = ProjectListKind(rawValue: String(name)) else { throw .notFound }
            self = .list(
                list, project: try query.require(query.project, "project"), tag: list.hasTags ? query.tag.filled : nil,
                owner: list.hasOwners ? query.owner.filled : nil,
                kept: try query.kept(by: list.filter), order: try query.order(by: list.sortKeys))
        case ("runs", 3): self = .run(try Self.runID(steps[2]), commit: query.judged)
        case ("runs", 4) where steps[3] == "source":
            let id = try Self.runID(steps[2])
            guard let path = query.path else { throw .malformed("the address lacks the path of a file") }
            self = .source(id, path: path)
        case ("runs", 4) where steps[3] == "who":
            let id = try Self.runID(steps[2])
            guard let path = query.path, let line = query.place.flatMap({ Int($0) }), line > 0,
                String(line) == query.place
            else { throw .malformed("the address lacks the path of a file, or the line as 'at'") }
            self = .who(id, path: path, line: line)
        case ("runs", 4) where steps[3] == "tests":
            let id = try Self.runID(steps[2])
            guard let target = query.target else { throw .malformed("the address lacks the name of a test target") }
            self = .tests(
                id, target: target, tag: query.tag.filled, order: try query.order(by: ListColumns.tests.sortKeys),
                from: query.from)
        case ("runs", 4) where steps[3] == "coverage":
            self = .coverage(
                try Self.runID(steps[2]), module: query.module, order: try query.order(by: SheetPage.fileSortKeys))
        case ("runs", 4) where steps[3] == "policy": self = .policy(try Self.runID(steps[2]), line: query.line)
        case ("runs", 4) where steps[3] == "evidence": self = .evidence(try Self.runID(steps[2]), file: query.file)
        case ("runs", 4) where steps[3] == "live": self = .live(try Self.runID(steps[2]))
        case ("runs", 4) where steps[3] == "events": self = .events(try Self.runID(steps[2]))
        case ("openapi.json", 2): self = .description
        case ("metrics", 2): self = .metrics
        case ("assets", 3) where steps[2] == "kanmon.css": self = .stylesheet
        case ("assets", 3) where steps[2] == "kanmon.svg": self = .icon
        case ("assets", 3) where steps[2] == "kanmon.js": self = .script
        case ("healthz", 2): self = .health
        case ("healthz", 3) where steps[2] == "ready": self = .readiness
        default: throw .notFound
        }
    }

    /// Reads what the list of projects is kept to, and its order.
    static func firstPage(_ query: AddressQuery) throws(RouteError) -> Route {
        .home(kept: try query.kept(by: .projects), order: try query.order(by: ListColumns.projects.sortKeys))
    }

    /// Reads `example.com/package/latest`: the name of a project may have slashes of its own.
    private static func permalink(_ steps: ArraySlice<Substring>) throws(RouteError) -> Route {
        guard let (link, length) = Permalink.read(steps) else { throw .notFound }
        guard let project = PercentEncoding.decode(steps.dropLast(length).joined(separator: "/")[...]) else {
            throw .malformed("the address is not percent-encoded UTF-8")
        }
        guard !project.isEmpty else { throw .notFound }
        return .permalink(project: project, link)
    }

    private static func runID(_ text: Substring) throws(RouteError) -> RunID {
        guard let id = RunID(String(text)) else { throw .notFound }
        return id
    }
}

extension ListOrder {
    /// The direction as an address holds it.
    var direction: String { isDescending ? "desc" : "asc" }
}

extension Optional where Wrapped == ListOrder {
    /// The values of an address that ask for this order; none where none is requested.
    fileprivate var query: [(name: String, value: String?)] {
        [("sort", self?.key.rawValue), ("order", self?.direction)]
    }
}
