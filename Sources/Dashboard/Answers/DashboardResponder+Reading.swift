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
        if let seconds = control?.failures.fail(context.peer, at: now()) { return .tooManyAttempts(seconds: seconds) }
        context.logger.warning(
            "a credential was refused", metadata: ["address": .string(context.address ?? "local")])
        return nil
    }

    /// Refuses a page about a project that does not exist for the reader.
    func admit(_ route: Route) throws {
        guard !reader.seesEverything else { return }
        if let project = route.project, !reader.sees(project) { throw Refusal.notFound }
        for run in route.runs {
            // A run of no known project may be anybody's. Whoever may not see one waits for as long as where there is none.
            let project = try store.project(of: run) ?? live.find(run)?.run.project
            guard reader.sees(project ?? ""), project != nil else { throw Refusal.notFound }
        }
    }

    /// The projects that exist for the reader.
    func projects() throws -> [ProjectSummary] {
        guard !reader.seesEverything else { return try store.projects() }
        return try store.projectNames().filter { reader.sees($0) }.compactMap { try store.project(named: $0) }
    }

    /// The same for questions to the store, or one of them.
    func scope(_ project: String? = nil) throws -> ProjectScope {
        if let project { return .named(reader.sees(project) ? [project] : []) }
        return reader.seesEverything ? .all : .named(try store.projectNames().filter { reader.sees($0) })
    }

    /// A page of the runs that exist for the reader; `nil` when there is no run to continue behind.
    func page(
        project: String?, before: RunID?, filter: RunFilter, order: ListOrder, limit: Int
    ) throws -> [RunSummary]? {
        guard project == nil, !reader.seesEverything else {
            return try store.page(project: project, before: before, filter: filter, order: order, limit: limit)
        }
        return try store.page(in: scope(), before: before, filter: filter, order: order, limit: limit)
    }

    /// The runs that exist for the reader whose id or commit is so.
    func find(_ text: String, of project: String? = nil, _ limit: Int) throws -> [RunSummary] {
        try store.find(text, in: scope(project), limit)
    }
}

extension AccessControl {
    /// The project of an address that brings along the key that opens it: that of a badge or a feed; `nil` for any other.
    func project(openedBy route: Route) -> String? {
        switch route {
        case .badge(let project, let key?): keys?.opens(key, .badge, of: project) == true ? project : nil
        case .feed(let project, let key?): keys?.opens(key, .feed, of: project) == true ? project : nil
        default: nil
        }
    }

    /// The key for an address of a project, where it needs one.
    func key(of project: String, for purpose: AddressKeys.Purpose) throws -> String? {
        try guardsReading() ? keys?.key(of: project, for: purpose) : nil
    }
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
            .permalink(let name, _), .badge(let name, _), .feed(let name, _):
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
        case .run(let id, _), .live(let id), .events(let id), .tests(let id, _, _, _), .source(let id, _),
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
