import Exports
import Foundation
import Gate
import Pages
import RunModel
import Storage

/// What every list of a project is asked with.
struct ListRequest: Sendable {
    let project: String
    /// The tag whose tests alone are listed; `nil` for all tests.
    var tag: String?
    /// Of a list of tests only those of this owner; `nil` for all.
    var owner: String?
    /// What the list is kept to besides that, as its address has it; `nil` for all of it.
    var kept: String?
    var order: ListOrder?
}

/// A list of a project's tests or rules.
protocol ServedList: ServedPage {
    var request: ListRequest { get }
    init(request: ListRequest)
}

extension ServedList {
    var rights: PageRights { .project(request.project) }
}

extension ProjectListKind {
    /// What the server answers there.
    var page: any ServedList.Type {
        switch self {
        case .flaky: FlakyList.self
        case .slow: SlowList.self
        case .exceptions: ExceptionsList.self
        case .owners: OwnersList.self
        case .known: KnownIssuesList.self
        case .exclusions: ExclusionsList.self
        case .selection: SelectionList.self
        case .unverified: UnverifiedList.self
        }
    }
}

/// `/flaky`: tests that do not always end in the same way.
struct FlakyList: ServedList, LastingPage {
    /// How many days back tests are looked at.
    static let days = SheetPage.flakyDays

    let request: ListRequest

    static let description = DataDescription.list(
        "/flaky.json", of: FlakyForm.self,
        query: ["project", "tag?", "owner?", "kind?", "sort?", "order?"], also: ["window"],
        "Flaky tests, and last those broken by now; all, or those of one tag, owner or kind. `window` has the runs that were looked at."
    )

    private struct Found {
        let tests: [FlakyTest]
        let names: [TestID: NamedTest]
        let owners: [TestID: [String]]
        let quarantine: [QuarantineStatus]
        let window: FlakyWindow
        let since: Date
    }

    private func found(_ server: DashboardResponder) async throws -> Found {
        let project = request.project
        let tests = try await server.flaky(request)
        return Found(
            tests: tests, names: try server.store.names(of: tests.map(\.id), project: project),
            owners: try await server.owners(of: tests.map(\.id), project: project),
            quarantine: try server.store.quarantine(of: project),
            window: try server.store.flakyWindow(project: project, since: server.flakySince), since: server.flakySince)
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let found = try await found(server)
        return try server.render(
            .flaky(
                found.tests, names: found.names, owners: found.owners, quarantine: found.quarantine,
                project: request.project, days: Self.days, window: found.window, tag: request.tag,
                owner: request.owner, kept: request.kept, order: request.order, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let found = try await found(server)
        return try server.json(
            found.tests.map { test in
                FlakyForm(
                    test, found.names[test.id], found.quarantine.first { $0.id == test.id }, found.owners[test.id])
            }, also: .init(window: FlakyWindowResponse(found.window, since: found.since, days: Self.days)))
    }
}

/// `/slow`: the slowest tests.
struct SlowList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.list(
        "/slow.json", of: SlowForm.self, query: ["project", "tag?", "owner?", "sort?", "order?"],
        "The slowest tests of the latest full run, of all or of those with one tag or owner.")

    private struct Found {
        let tests: [SlowTest]
        let names: [TestID: NamedTest]
        let owners: [TestID: [String]]
    }

    private func found(_ server: DashboardResponder) async throws -> Found {
        let project = request.project
        let tests = try await server.slow(request)
        return Found(
            tests: tests, names: try server.store.names(of: tests.map(\.id), project: project),
            owners: try await server.owners(of: tests.map(\.id), project: project))
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let found = try await found(server)
        return try server.render(
            .slow(
                found.tests, names: found.names, owners: found.owners, project: request.project, tag: request.tag,
                owner: request.owner, order: request.order, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let found = try await found(server)
        return try server.json(found.tests.map { SlowForm($0, found.names[$0.id], found.owners[$0.id]) })
    }
}

/// `/exceptions`: what the gate lets pass for a time.
struct ExceptionsList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.object(
        "/exceptions.json", of: ExceptionsResponse.self, query: ["project", "owner?", "sort?", "order?"],
        "Waivers in force, tests in quarantine and test targets that are switched off, or the quarantine of one owner.")

    private func found(_ server: DashboardResponder) async throws -> (run: RunSummary?, exceptions: Exceptions?) {
        let (run, exceptions) = try await server.exceptions(of: request.project)
        return (run, exceptions?.listed(request.kept, by: request.order))
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let (run, exceptions) = try await found(server)
        let titles = try server.store.titles(
            of: exceptions?.quarantine.compactMap(\.id) ?? [], project: request.project)
        return try server.render(
            .exceptions(
                exceptions, titles: titles, project: request.project, run: run, kept: request.kept,
                order: request.order, now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(ExceptionsResponse(try await found(server)))
    }
}

/// `/owners`: what of every owner needs a look.
struct OwnersList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.object(
        "/owners.json", of: OwnersResponse.self, query: ["project", "owner?", "sort?", "order?"],
        "By owner, all or one: what is red, flaky, slow, uncovered and about to expire, as of the latest full run.")

    private func found(_ server: DashboardResponder) async throws -> ProjectOwners {
        try await server.owners(of: request.project, only: request.kept).listed(request.kept, by: request.order)
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(
            .owners(
                found(server), project: request.project, kept: request.kept, order: request.order,
                links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(OwnersResponse(try await found(server)))
    }
}

/// `/known-issues`: tests that fail as they announced.
struct KnownIssuesList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.list(
        "/known-issues.json", of: KnownIssueResponse.self, query: ["project", "tag?", "sort?", "order?"],
        "Tests with known issues, all or those with one tag.")

    private func found(_ server: DashboardResponder) async throws -> (run: RunSummary?, tests: [TestResult]) {
        let run = try server.latestWholeRun(of: request.project)
        let tests = try run.map { try server.store.results(of: $0.id, ended: .knownIssue) } ?? []
        return (run, tests.filter { $0.named.hasTag(request.tag) }.sorted(by: request.order))
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let (run, tests) = try await found(server)
        return try server.render(
            .known(
                tests, project: request.project, run: run, tag: request.tag, order: request.order, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(try await found(server).tests.map { KnownIssueResponse($0) })
    }
}

/// `/exclusions`: files whose lines do not count.
struct ExclusionsList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.list(
        "/exclusions.json", of: ExclusionForm.self, query: ["project", "kind?", "sort?", "order?"],
        "The excludes, all or those that are odd in one way.")

    private func found(_ server: DashboardResponder) async throws -> (run: RunSummary?, statuses: [ExclusionStatus]) {
        let run = try server.latestWholeRun(of: request.project)
        guard let id = run?.id, let facts = try server.store.facts(of: id) else { return (run, []) }
        let statuses = try server.verdict(of: id).policy.exclusions(
            in: facts.modules, try server.store.coverage(of: id))
        return (run, statuses.listed(request.kept, by: request.order))
    }

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let (run, statuses) = try await found(server)
        return try server.render(
            .exclusions(
                statuses, project: request.project, run: run, kept: request.kept, order: request.order,
                links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(try await found(server).statuses.map { ExclusionForm($0) })
    }
}

/// `/selection`: runs, with what a selection of tests would have left out.
struct SelectionList: ServedList, LastingPage {
    let request: ListRequest

    static let description = DataDescription.list(
        "/selection.json", of: TrialResponse.self, query: ["project", "kind?", "sort?", "order?"],
        "Runs of all tests, all or of one kind, with what running only the tests of changed functions would have left out and missed."
    )

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(
            .selection(
                server.selectionLedger(of: request.project), project: request.project, kept: request.kept,
                order: request.order, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let ledger = try await server.selectionLedger(of: request.project)
        return try server.json(ledger.listed(request.kept, by: request.order).map { TrialResponse($0) })
    }
}

/// `/unverified`: commits of the default branch that did not pass.
struct UnverifiedList: ServedList {
    let request: ListRequest

    static let description = DataDescription.object(
        "/unverified.json", of: AuditResponse.self, query: ["project", "verdict?", "sort?", "order?"],
        "Commits of the default branch whose tree has not passed, all or those with one verdict.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(
            .unverified(
                server.audit(of: server.entry(of: request.project)), project: request.project, kept: request.kept,
                order: request.order, links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let audit = try await server.audit(of: server.entry(of: request.project))
        return try server.json(
            audit.map { AuditResponse($0.listed(request.kept, by: request.order)) } ?? AuditResponse())
    }
}
