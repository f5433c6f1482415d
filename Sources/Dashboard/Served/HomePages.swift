import Exports
import Gate
import Pages
import RunModel

/// `/`: every project with its state, or the projects with one state.
struct HomePage: ServedPage {
    var kept: String?
    var order: ListOrder?

    var rights: PageRights { .anyReader }

    static let description = DataDescription.list(
        "/index.json", of: ProjectResponse.self, query: ["verdict?", "sort?", "order?"],
        "The state of every project's default branch, or of those with one verdict; what fails first, unless `sort` gives another order."
    )

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.render(
            .home(
                server.homeStates(), kept: kept, order: order, changes: server.latestChanges(),
                running: server.running(), now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let running = server.running()
        return try server.json(
            try server.homeStates().listed(kept, by: order).map { state in
                ProjectResponse(
                    state, running.filter { Name($0.run.project) == Name(state.name) }, now: server.now())
            })
    }

    func isLasting(_ server: DashboardResponder) -> Bool { server.live.running().isEmpty }
}

/// `/wall`: the same for a screen on a wall.
struct Wall: ServedPage {
    var rights: PageRights { .anyReader }

    static let description = DataDescription.list(
        "/wall.json", of: ProjectResponse.self, "The same.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        var answer = try server.render(
            WallPage(
                try server.projects().map { try server.state(of: $0) }, running: server.running(), now: server.now(),
                links: server.links))
        answer.refresh()
        return answer
    }

    func data(_ server: DashboardResponder) async throws -> Answer { try await HomePage().data(server) }

    func isLasting(_ server: DashboardResponder) -> Bool { HomePage().isLasting(server) }
}

/// `/machines`: the machines that deliver runs, or those of one class of trust, and the receivers of webhooks.
struct MachinesPage: ServedPage {
    let kept: String?
    let order: ListOrder?

    var rights: PageRights { .anyReader }

    static let description = DataDescription.list(
        "/machines.json", of: MachineResponse.self, query: ["trust?", "sort?", "order?"],
        "The machines that deliver runs, all or those of one class of trust, and what waits there.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try server.render(
            .machines(
                server.machines().listed(kept, by: order), days: MachineLedger.days,
                webhooks: server.webhookStatuses(), kept: kept, order: order, now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(try server.machines().listed(kept, by: order).map { MachineResponse($0) })
    }
}

/// `/search`: what has a text in its name.
struct SearchPage: LastingPage {
    let text: String

    var rights: PageRights { .anyReader }

    static let description = DataDescription.object(
        "/search.json", of: SearchResponse.self, query: ["q?"],
        "Tests, targets, files, branches and authors by a part of their name, failures by their message, runs by commit, subject or id."
    )

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(.search(text, server.findings(text), now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(SearchResponse(try await server.findings(text)))
    }
}

/// `/runs`: runs of a project or of all.
struct RunListPage: LastingPage {
    let project: String?
    let before: RunID?
    let filter: RunFilter
    let order: ListOrder?

    var rights: PageRights {
        let runs = before.map { [$0] } ?? []
        return project.map { .projectAndRuns($0, runs) } ?? (runs.isEmpty ? .anyReader : .runs(runs))
    }

    static let description = DataDescription.list(
        "/runs.json", of: RunForm.self,
        query: ["project?", "branch?", "verdict?", "author?", "since?", "until?", "sort?", "order?", "before?"],
        "Runs, the newest first unless `sort` gives another order; `next` is the address of the next page.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(server.runsPage(project: project, before: before, filter: filter, order: order))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let (entries, hasOlder) = try await server.runs(of: project, before: before, filter: filter, order: order)
        let next =
            hasOlder
            ? entries.last.map {
                Address(.runs(project: project, before: $0.id, filter: filter, order: order), isData: true)
            } : nil
        return try server.json(entries.map { RunForm($0) }, next: next.map { server.links.href($0) })
    }
}
