import Pages

/// An address that leads to a run, or by `.json` to its data.
protocol ServedRedirect: ServedPage {
    /// Where to.
    func target(_ server: DashboardResponder) async throws -> Route
}

extension ServedRedirect {
    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer {
        .found(server.links.href(try await target(server)))
    }

    func data(_ server: DashboardResponder) async throws -> Answer {
        .found(server.links.href(Address(try await target(server), isData: true)))
    }
}

/// `/latest`: to the latest run of a project, on one branch or on any.
struct LatestRedirect: ServedRedirect {
    let project: String
    let branch: String?

    var rights: PageRights { .project(project) }

    static let description = [
        DataDescription(
            path: "/latest.json",
            summary: "Redirects to the data of the latest full run of a project, on one branch or on any.",
            query: ["project", "branch?"], fields: nil, isList: false, isRedirect: true)
    ]

    func target(_ server: DashboardResponder) async throws -> Route {
        try await server.latest(project: project, branch: branch)
    }
}

/// `/commit`: to the latest run of a commit.
struct CommitRedirect: ServedRedirect {
    let commit: String

    var rights: PageRights { .anyReader }

    static let description = [
        DataDescription(
            path: "/commit.json",
            summary: "Redirects to the data of the latest run of a commit, by at least four digits of its hash.",
            query: ["id"], fields: nil, isList: false, isRedirect: true)
    ]

    func target(_ server: DashboardResponder) async throws -> Route {
        try await server.latest(commit: commit, of: nil)
    }
}

/// `/p/PROJECT/…`: to a run of a project, its latest, that of a commit or that of a tree.
struct PermalinkRedirect: ServedRedirect {
    let project: String
    let link: Permalink

    var rights: PageRights { .project(project) }

    static let description = [
        DataDescription(
            path: "/p/{project}/latest.json", summary: "Redirects to the data of the latest run of a project.",
            query: [], fields: nil, isList: false, isRedirect: true),
        DataDescription(
            path: "/p/{project}/commit/{commit}.json",
            summary: "Redirects to the data of the latest run of a commit, by at least four digits of its hash.",
            query: [], fields: nil, isList: false, isRedirect: true),
        DataDescription(
            path: "/p/{project}/tree/{tree}.json",
            summary: "Redirects to the data of the latest run of a tree, by its whole hash.", query: [], fields: nil,
            isList: false, isRedirect: true),
    ]

    func target(_ server: DashboardResponder) async throws -> Route {
        try await server.run(of: project, by: link)
    }
}
