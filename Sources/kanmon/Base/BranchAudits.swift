import Foundation
import Gate
import Pages
import Repository
import RunModel
import Storage

/// Finds the commits of a branch that have not passed, in the repositories of earlier runs.
///
/// There is at most one audit at a time for each branch of a project, and its result is cached for some seconds.
struct BranchAudits: Sendable {
    private let store: RunStore
    private let surroundings: Surroundings
    private let answers: RecentAnswers<Name, CommitAudit?>

    /// - Parameter age: How long a result is cached, in seconds.
    init(_ store: RunStore, surroundings: Surroundings, age: TimeInterval = 10) {
        self.store = store
        self.surroundings = surroundings
        answers = RecentAnswers(age: age, most: 100)
    }

    /// The commits of a branch that have not passed; `nil` when no repository of the project can be found.
    func audit(project: String, branch: String) async throws -> CommitAudit? {
        try await answers.find(Name("\(project)\u{0}\(branch)"), now: surroundings.now) {
            try await find(project: project, branch: branch)
        }
    }

    private func find(project: String, branch: String) async throws -> CommitAudit? {
        guard let clone = try await ProjectClone(store, surroundings: surroundings).find(project) else { return nil }
        let repository = clone.repository
        let folder = try await repository.packageSubpath(of: clone.package).folder
        for name in ["origin/\(branch)", branch] {
            let reference = name == branch ? "refs/heads/\(name)" : "refs/remotes/\(name)"
            guard let head = try await repository.commit(at: reference) else { continue }
            let commits = try await repository.commits(
                in: head.hexadecimal, limit: SheetPage.auditedCommits, isFirstParent: true)
            let entries = try commits.map { commit in
                let runs = try store.runs(
                    ofTree: commit.tree.hexadecimal, at: folder, project: project, limit: 50)
                return (commit, Audit.Entry.judged(runs))
            }
            return CommitAudit(
                branch: name, looked: commits.count,
                entries: entries.filter { $1?.decision != .passed }.map { commit, run in
                    CommitAudit.Entry(
                        commit: commit.commit.hexadecimal, subject: commit.subject, run: run?.id,
                        decision: run?.decision)
                })
        }
        return nil
    }
}
