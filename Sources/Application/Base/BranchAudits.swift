package import Foundation
import Gate
package import Pages
import Repository
import RunModel
package import Storage

/// Finds the commits of a branch that have not passed, in the repositories of earlier runs.
///
/// There is at most one audit at a time for each branch of a project, and its result is cached for some seconds.
package struct BranchAudits: Sendable {
    private let store: RunStore
    private let process: ProcessContext
    private let answers: CoalescingCache<Name, CommitAudit?>
    private let home: Home

    /// - Parameter age: How long a result is cached, in seconds.
    package init(_ store: RunStore, process: ProcessContext, age: TimeInterval = 10) {
        self.store = store
        self.process = process
        answers = CoalescingCache(age: age, most: 100)
        var home = Home(nil, process: process)
        home.otherDatabase = store.path
        self.home = home
    }

    /// The commits of a branch that have not passed; `nil` when no repository of the project can be found.
    package func audit(project: String, branch: String) async throws -> CommitAudit? {
        try await answers.find(Name("\(project)\u{0}\(branch)"), now: process.now) {
            try await find(project: project, branch: branch)
        }
    }

    private func find(project: String, branch: String) async throws -> CommitAudit? {
        guard let clone = try await ProjectClone(store, process: process).find(project) else { return nil }
        let repository = clone.repository
        for name in ["origin/\(branch)", branch] {
            let reference = name == branch ? "refs/heads/\(name)" : "refs/remotes/\(name)"
            guard let head = try await repository.commit(at: reference) else { continue }
            let commits = try await repository.commits(
                in: head.hexadecimal, limit: SheetPage.auditedCommits, isFirstParent: true)
            let audits = CommitAudits(
                judge: TreeJudge(
                    process: process, checkpoint: Checkpoint(process: process, home: home),
                    repository: repository, subpath: try await repository.packageSubpath(of: clone.package)),
                store: store, project: project)
            var entries: [CommitAudit.Entry] = []
            for commit in commits {
                let entry = try await audits.entry(of: commit)
                let decision = entry.decision.flatMap { Decision(rawValue: $0) }
                if decision == .passed { continue }
                entries.append(
                    CommitAudit.Entry(
                        commit: entry.commit, subject: entry.subject, run: entry.run.flatMap { RunID($0) },
                        decision: decision))
            }
            return CommitAudit(branch: name, looked: commits.count, entries: entries)
        }
        return nil
    }
}
