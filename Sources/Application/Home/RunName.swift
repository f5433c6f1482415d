import Exports
import Foundation
import Gate
import Repository
package import RunModel
package import Storage

/// The name of a stored run as the user types it, the same in every command.
package struct RunName: Sendable {
    /// `latest`, an id, its beginning or its end, or a revision of git.
    let text: String
    /// The project for `latest`; by default that of the package here.
    var project: String?
    /// The folder of the package that gives the default project and the repository.
    let package: String

    package init(text: String, project: String? = nil, package: String) {
        (self.text, self.project, self.package) = (text, project, package)
    }
}

extension StoredRuns {
    /// How many candidates are listed for an ambiguous name.
    private static let mostCandidates = 10

    /// The id of the named run.
    ///
    /// For a revision, the newest run of its commit, else of its tree.
    ///
    /// - Throws: `Problem` if no run has the name, or several have; then with the candidates.
    package func identify(_ name: RunName, in store: RunStore) async throws -> RunID {
        try await locate(name, in: store).id
    }

    /// The named run; by the name of a commit also that commit, where the run is judged for it as one of another commit with the same
    /// tree, or against another base.
    func locate(_ name: RunName, in store: RunStore) async throws -> (id: RunID, commit: String?) {
        let text = name.text
        if text == "latest" {
            let project = try await project(name.project, package: name.package)
            if let latest = try store.runs(project: project, limit: 1).first { return (latest.id, nil) }
            throw Problem.noStoredRun(of: project)
        }
        let ids = try store.runIDs(matching: text, limit: Self.mostCandidates + 1)
        if let id = ids.first, ids.count == 1 {
            // A few digits may be the beginning of a commit as well as a part of an id.
            let others = try store.commits(beginning: text, limit: Self.mostCandidates)
                .flatMap { try store.verdicts(on: $0, limit: 1) }.filter { $0.id != id }
            if others.isEmpty || id.description == text { return (id, nil) }
            throw ambiguous(text, try [store.summary(of: id)].compactMap(\.self) + others)
        }
        if !ids.isEmpty { throw ambiguous(text, try ids.compactMap { try store.summary(of: $0) }) }
        let commits = try store.commits(beginning: text, limit: Self.mostCandidates + 1)
        if commits.count > 1 {
            throw ambiguous(text, try commits.flatMap { try store.verdicts(on: $0, limit: 1) })
        }
        if let commit = commits.first, let run = try store.verdicts(on: commit, limit: 1).first { return run.place }
        if let run = try await run(of: text, package: name.package, in: store) { return run.place }
        throw Problem(.usage, "no stored run matches '\(text)'", hint: "kanmon history --all lists every run")
    }

    /// The newest run of the commit or tree of a revision.
    private func run(of revision: String, package: String, in store: RunStore) async throws -> RunSummary? {
        let root = process.real(package)
        let environment = GitEnvironment(process.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment),
            let commit = try await repository.commit(at: revision)
        else { return nil }
        if let run = try store.verdicts(on: commit.hexadecimal, limit: 1).first { return run }
        if let run = try store.runs(commit: commit.hexadecimal, limit: 1).first { return run }
        if let tree = try await repository.tree(of: commit),
            let run = try store.runs(
                ofTree: tree.hexadecimal, at: try await repository.packageSubpath(of: root).folder, project: nil,
                limit: 1
            ).first
        {
            return run
        }
        throw Problem(
            .usage, "no run of '\(revision)' is stored, which is commit \(commit.hexadecimal.prefix(12))",
            hint: "kanmon run --commit \(commit.hexadecimal.prefix(12))")
    }

    private func ambiguous(_ text: String, _ runs: [RunSummary]) -> Problem {
        let rows = RunList(runs: Array(runs.prefix(Self.mostCandidates))).text(now: process.now)
        let more = runs.count > Self.mostCandidates ? "\n… and more" : ""
        return Problem(
            .usage, "several stored runs match '\(text)':\n\(rows)\(more)",
            hint: "name one by its id or a longer part of it")
    }
}

extension Problem {
    /// That no run of a project is stored, or none at all.
    package static func noStoredRun(of project: String?) -> Problem {
        Problem(
            .usage, "there is no stored run" + (project.map { " of \($0)" } ?? ""),
            hint: "kanmon history --all lists every run")
    }
}

extension RunSummary {
    /// The run, and the commit that it was judged for if that is not its own verdict.
    fileprivate var place: (id: RunID, commit: String?) { (self.id, judgedCommit) }
}
