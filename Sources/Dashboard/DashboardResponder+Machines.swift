import Foundation
import HTTPTypes
import Pages
import RunModel

extension DashboardResponder {
    /// The way to the latest run of a project.
    func latest(project: String, branch: String?) async throws -> Answer {
        let runs =
            if let branch {
                try await data.runsOfBranch(project, branch, 1)
            } else {
                try await data.runs(project, nil, 1) ?? []
            }
        guard let latest = runs.first else { throw Refusal.notFound }
        return .found(.run(latest.id))
    }

    /// The way to the latest run of a commit, given by at least four digits of its hash.
    func latest(commit: String) async throws -> Answer {
        let found = try await data.find(commit.lowercased(), Self.pageSize)
        guard let latest = found.first(where: { $0.revision?.commit?.hasPrefix(commit.lowercased()) == true }) else {
            throw Refusal.notFound
        }
        return .found(.run(latest.id))
    }

    /// How the default branch of a project stands, as a picture.
    func badge(_ project: String) async throws -> Answer {
        let state = try await state(of: try await entry(of: project))
        let badge = Badge(state)
        return Answer(
            status: .ok, contentType: "image/svg+xml", body: Array(badge.svg.utf8), cacheControl: "no-cache")
    }

    /// The tests that began to fail on the default branch, as a feed.
    func feed(_ project: String, _ request: HTTPRequest) async throws -> Answer {
        let state = try await state(of: try await entry(of: project))
        let feed = RegressionFeed(state, authority: request.authority ?? "localhost")
        return Answer(status: .ok, contentType: "application/atom+xml; charset=utf-8", body: Array(feed.xml.utf8))
    }
}
