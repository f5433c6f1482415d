import Gate
import RunModel

extension Verdict {
    /// The branch that the change is for, without the name of the remote; `nil` if the run was not compared with a
    /// branch.
    ///
    /// A base that the user named may be any revision.
    var defaultBranch: String? {
        guard let found = base?.commit ?? change?.base, found.kind != .named, !found.name.isEmpty else { return nil }
        let (name, remote) = (found.name.utf8, "origin/".utf8)
        return name.starts(with: remote) ? String(Substring(name.dropFirst(remote.count))) : found.name
    }
}

extension Connection {
    /// Stores the default branch of a project as a run that answers for its branch says it, unless it is known and there is a newer such
    /// run. Others neither say it nor keep it out: a laptop can deliver runs that are newer than every one of CI.
    func keep(defaultBranch branch: String, of project: Int64, asOf run: (startedAt: Int64, identity: String)) throws {
        try statement(
            """
            UPDATE project SET default_branch = ?2
            WHERE id = ?1 AND default_branch IS NOT ?2 AND (
                default_branch IS NULL
                OR NOT EXISTS (
                    SELECT 1 FROM run WHERE project = ?1 AND is_exact = 1 AND (started_at, identity) > (?3, ?4)
                )
            )
            """
        ).execute(project, Bytes(branch), run.startedAt, run.identity)
    }
}
