import Access
import Exports
import Gate
import Pages
import RunModel

/// `/project`: one project over its last runs.
struct ProjectPage: ServedPage {
    let name: String

    var rights: PageRights { .project(name) }

    static let description = DataDescription.object(
        "/project.json", of: ProjectHistoryResponse.self, query: ["project"], "One project over its last full runs.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        let found = try await server.projectHistory(name)
        return try server.render(
            .project(
                found.state, runs: found.runs, modules: found.modules, branches: found.branches,
                workingCopies: found.workingCopies, badgeKey: server.control?.key(of: name, for: .badge),
                feedKey: server.control?.key(of: name, for: .feed), running: server.running(project: name),
                now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let found = try await server.projectHistory(name)
        return try server.json(
            ProjectHistoryResponse(
                project: ProjectResponse(found.state, server.running(project: name), now: server.now()),
                runs: found.runs.map { RunForm($0) },
                modules: found.modules.map {
                    .init(run: $0.run.description, module: $0.module, lines: $0.lines)
                },
                branches: found.branches.map { RunForm($0) },
                workingCopies: found.workingCopies.map { RunForm($0) }))
    }

    func isLasting(_ server: DashboardResponder) -> Bool { server.live.running().isEmpty }
}

/// `/branch`: what fails on a branch now.
struct BranchPage: ServedPage {
    let name: String
    let project: String

    var rights: PageRights { .project(project) }

    static let description = DataDescription.object(
        "/branch.json", of: BranchResponse.self, query: ["project", "branch"],
        "What fails on a branch now, since when, and its last full runs.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(
            .branch(server.branchState(name, of: project), now: server.now(), links: server.links))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        try server.json(BranchResponse(try await server.branchState(name, of: project)))
    }
}

/// `/test`: one test over its runs.
struct TestHistoryPage: LastingPage {
    let id: TestID
    let project: String

    var rights: PageRights { .project(project) }

    static let description = DataDescription.list(
        "/test.json", of: HistoryResponse.self,
        query: ["project", "module", "suite?", "name", "file?"], also: ["flakiness"],
        "One test over its runs, the newest first.")

    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        try await server.render(server.testPage(id, project: project))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        let points = try await server.history(of: id, project: project)
        let found = try await server.flakiness(of: id, points, project: project)
        return try server.json(
            points.map { HistoryResponse($0) },
            also: .init(flakiness: found.map { FlakeForm($0.history, $0.proposal) }))
    }
}
