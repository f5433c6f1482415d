import Demo
import Gate
import Pages
import RunModel
import Storage

/// A made-up audit of the demo's default branch, because there is no repository.
struct DemoAudit: Sendable {
    let store: RunStore

    /// Commits without a run, then those whose run was blocked.
    func audit(project: String, branch: String) throws -> CommitAudit {
        let looked = try store.wholeRuns(project: project, branch: branch, limit: SheetPage.auditedCommits)
        // The newest run of each commit.
        var commits: Set<String> = []
        let runs = looked.filter { $0.revision?.commit.map { commits.insert($0).inserted } ?? false }
        let unverified = DemoCommit.unverified(of: project)
        let entries =
            unverified.map {
                CommitAudit.Entry(commit: $0.commit, subject: $0.subject, run: nil, decision: nil)
            }
            + runs.filter { $0.decision == .failed }.prefix(8).map {
                CommitAudit.Entry(
                    commit: $0.revision?.commit ?? "", subject: $0.revision?.subject ?? "", run: $0.id,
                    decision: $0.decision)
            }
        return CommitAudit(branch: "origin/\(branch)", looked: runs.count + unverified.count, entries: entries)
    }
}
