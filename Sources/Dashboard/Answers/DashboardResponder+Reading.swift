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
    func admit(_ rights: PageRights) throws {
        guard !reader.seesEverything else { return }
        if let project = rights.project, !reader.sees(project) { throw Refusal.notFound }
        for run in rights.runs {
            // A run of no known project may be anybody's. Whoever may not see one waits for as long as where there is none.
            let project = try store.project(of: run) ?? live.find(run)?.run.project
            guard reader.sees(project ?? ""), project != nil else { throw Refusal.notFound }
        }
    }

    /// The projects that exist for the reader.
    func projects() throws -> [ProjectSummary] {
        guard !reader.seesEverything else { return try store.projects() }
        return try projectNames().compactMap { try store.project(named: $0) }
    }

    /// The names of the projects that exist for the reader; unlike the projects, they need no run to be counted.
    func projectNames() throws -> [String] { try store.projectNames().filter { reader.sees($0) } }

    /// The same for questions to the store, or one of them.
    func scope(_ project: String? = nil) throws -> ProjectScope {
        if let project { return .named(reader.sees(project) ? [project] : []) }
        return reader.seesEverything ? .all : .named(try projectNames())
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
    /// The project whose address a key opens; `nil` where it opens none.
    func project(openedBy key: AddressKey) -> String? {
        keys?.opens(key.key, key.purpose, of: key.project) == true ? key.project : nil
    }

    /// The key for an address of a project, where it needs one.
    func key(of project: String, for purpose: AddressKeys.Purpose) throws -> String? {
        try guardsReading() ? keys?.key(of: project, for: purpose) : nil
    }
}
