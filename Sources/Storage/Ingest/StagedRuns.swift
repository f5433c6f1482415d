import Gate
public import RunModel

/// Records for runs of staged files which commit was made of these, once that is known. It is only shown, and decides nothing.
struct StagedRuns {
    private let connection: Connection
    private let project: Int64

    init(_ connection: Connection, project: Int64) { (self.connection, self.project) = (connection, project) }

    /// Records a commit for all runs of its tree while it was staged; the commit that was recorded last counts. Runs
    /// that have it already are not written again.
    func note(_ revision: Revision) throws {
        guard let commit = revision.commit, let tree = revision.tree, !revision.isDirty else { return }
        try connection.statement(
            """
            UPDATE run SET made_commit = ?3, subject = ?4, author = ?5
            WHERE tree_id = ?1 AND project = ?2 AND commit_id IS NULL AND attempt = ?6
                AND (made_commit IS NOT ?3 OR subject IS NOT ?4 OR author IS NOT ?5)
            """
        ).execute(tree, project, commit, revision.subject, revision.author, Attempt.staged.rawValue)
    }

    /// Records the commit of a run for runs of staged files with its tree; for a run of staged files, the known commit of its tree.
    func note(_ run: TestRun) throws {
        guard let revision = run.revision, let tree = revision.tree else { return }
        if revision.commit != nil {
            if run.trust.speaksForBranch { try note(revision) }
        } else if revision.attempt == .staged {
            let known = try connection.statement(.commitOfTree).first(tree, project) { row in
                Revision(
                    commit: row.text(0), tree: tree, branch: nil, subject: row.optionalText(1),
                    author: row.optionalText(2), isDirty: false)
            }
            if let known { try note(known) }
        }
    }
}

extension RunStore {
    /// Records a commit for the runs of a project that tested its tree while it was staged; on disk when it returns. Nothing is
    /// judged by it.
    public func note(commit revision: Revision, project: String) throws(StorageError) {
        try write { connection in
            let id = try connection.statement(.projectByName).first(Bytes(project)) { $0.integer(0) }
            if let id { try StagedRuns(connection, project: id).note(revision) }
        }
    }
}
