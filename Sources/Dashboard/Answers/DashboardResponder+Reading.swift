import Access
import Evidence
import Gate
import HTTPTypes
import Hummingbird
import Logging
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The same for one reader.
    func serving(_ reader: Reader) -> DashboardResponder {
        var responder = self
        responder.reader = reader
        return responder
    }

    /// Who reads.
    ///
    /// - Throws: `Refusal.signIn` for somebody who has to say so first, `.forbidden` for a token that is not for reading.
    func reader(_ request: HTTPRequest, _ context: DashboardContext) throws -> Reader {
        guard let control, try control.guardsReading() else { return .anyone }
        if context.user != nil { return .userOfProxy }
        let fields = request.headerFields
        let token: AccessToken
        do {
            guard let found = try control.bearer(of: fields, at: now()) ?? control.session(of: fields, at: now()) else {
                throw Refusal.signIn(remark: nil)
            }
            token = found
        } catch is CredentialError {
            throw failedAttempt(context) ?? Refusal.signIn(remark: "That is no valid token: it may have expired.")
        }
        guard token.scope.reads else { throw Refusal.forbidden(scope: token.scope.rawValue) }
        return Reader(token)
    }

    /// Counts and logs a failed attempt; the refusal if there were too many.
    func failedAttempt(_ context: DashboardContext) -> Refusal? {
        let address = context.address ?? "local"
        if let seconds = control?.failures.fail(address, at: now()) { return .tooManyAttempts(seconds: seconds) }
        context.logger.warning("a credential was refused", metadata: ["address": .string(address)])
        return nil
    }

    /// Refuses a page about a project that does not exist for the reader.
    func admit(_ route: Route) throws {
        guard !reader.seesEverything else { return }
        if let project = route.project, !reader.sees(project) { throw Refusal.notFound }
        for run in route.runs {
            // A run of no known project may be anybody's.
            guard let project = try store.summary(of: run)?.project ?? live.find(run)?.run.project,
                reader.sees(project)
            else { throw Refusal.notFound }
        }
    }

    /// The projects that exist for the reader.
    func projects() throws -> [ProjectSummary] {
        let projects = try store.projects()
        return reader.seesEverything ? projects : projects.filter { reader.sees($0.name) }
    }

    /// A page of the runs that exist for the reader; `nil` when there is no run to continue behind.
    func page(
        project: String?, before: RunID?, filter: RunFilter, order: ListOrder, limit: Int
    ) throws -> [RunSummary]? {
        guard project == nil, !reader.seesEverything else {
            return try store.page(project: project, before: before, filter: filter, order: order, limit: limit)
        }
        var found: [RunSummary] = []
        var cursor = before
        while found.count < limit {
            let size = max(limit, 200)
            guard let page = try store.page(project: nil, before: cursor, filter: filter, order: order, limit: size)
            else { return nil }
            found += page.filter { reader.sees($0.project) }
            guard page.count == size, let last = page.last else { break }
            cursor = last.id
        }
        return Array(found.prefix(limit))
    }

    /// The runs that exist for the reader whose id or commit is so.
    func find(_ text: String, _ limit: Int) throws -> [RunSummary] {
        try store.find(text, limit).filter { reader.sees($0.project) }
    }
}

extension AccessControl {
    /// Whether an address brings along the key that opens it: that of a badge.
    func isOpened(_ route: Route) -> Bool {
        guard case .badge(let project, let key?) = route, let badges else { return false }
        return badges.opens(key, project)
    }

    /// The key for the badge of a project, where it needs one.
    func badgeKey(of project: String) throws -> String? { try guardsReading() ? badges?.key(of: project) : nil }
}

extension Route {
    /// Whether it is answered before a reader has signed in.
    var isOpen: Bool {
        switch self {
        case .stylesheet, .icon, .script, .health: true
        default: false
        }
    }

    /// The project that it names, whose rights it needs. There is no default: a new page has to say it.
    fileprivate var project: String? {
        switch self {
        case .project(let name), .branch(_, let name), .list(_, let name, _, _), .test(_, let name),
            .latest(let name, _),
            .permalink(let name, _), .badge(let name, _), .feed(let name):
            name
        case .runs(let project, _, _, _): project
        // Those show each reader its own projects.
        case .home, .wall, .machines, .search, .commit, .metrics: nil
        // Those name runs.
        case .compare, .run, .live, .events, .tests, .source, .who, .coverage, .evidence, .policy: nil
        // Those are the same for everybody.
        case .stylesheet, .icon, .script, .description, .health: nil
        }
    }

    /// The runs that it names, whose rights it needs. There is no default: a new page has to say it.
    fileprivate var runs: [RunID] {
        switch self {
        case .compare(let before, let after): [before, after]
        case .runs(_, let before, _, _): before.map { [$0] } ?? []
        case .run(let id), .live(let id), .events(let id), .tests(let id, _, _, _), .source(let id, _),
            .who(let id, _, _),
            .coverage(let id, _, _),
            .evidence(let id, _), .policy(let id, _):
            [id]
        case .home, .wall, .machines, .project, .branch, .list, .test, .search, .latest, .commit, .permalink, .badge,
            .feed, .stylesheet, .icon, .script, .description, .metrics, .health:
            []
        }
    }
}
