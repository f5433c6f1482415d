public import Foundation
public import Gate
import RunModel

extension RunStore {
    /// Withdraws the trust in every run that a token delivered, so that none of them answers for a tree or speaks for its
    /// branch; on disk when it returns. Doing it again changes nothing.
    ///
    /// - Returns: Those runs, the newest first.
    public func distrust(token: String, at moment: Date) throws(StorageError) -> [RunSummary] {
        try write { connection in
            let ids = try connection.statement(
                """
                SELECT identity FROM run WHERE instr(delivery, ?1) > 0 ORDER BY started_at DESC, identity DESC
                """
            ).all(DeliveryRecord.mark(of: token)) { try $0.runID(0) }
            var runs: [RunSummary] = []
            var projects: Set<Name> = []
            for id in ids {
                guard var run = try connection.summary(of: id), var record = run.delivery,
                    Name(record.token) == Name(token)
                else { continue }
                if record.isAttested { projects.insert(Name(run.project)) }
                record.distrust(at: moment)
                try connection.statement(
                    "UPDATE run SET delivery = ?2, is_exact = 0, is_of_branch = 0 WHERE identity = ?1"
                ).execute(id.description, try StoredJSON.encode(record))
                try connection.statement(
                    "UPDATE verdict SET is_state = 0, is_exact = 0 WHERE run = (SELECT id FROM run WHERE identity = ?1)"
                ).execute(id.description)
                run.delivery = record
                runs.append(run)
            }
            for project in projects { try connection.reviewDefaultBranch(of: project.text) }
            return runs
        }
    }
}

extension Connection {
    /// How many of the newest runs are searched for the default branch.
    private static let mostAsked = 50

    /// Takes the default branch of a project from the runs that are still trusted.
    fileprivate func reviewDefaultBranch(of name: String) throws {
        guard let project = try project(name) else { return }
        let runs = try statement(.latestFullRuns).all(project, Self.mostAsked) { $0.integer(0) }
        var branch: String?
        for run in runs where branch == nil { branch = try VerdictStorage(self).verdict(run).defaultBranch }
        try statement("UPDATE project SET default_branch = ?2 WHERE id = ?1").execute(project, branch.map { Bytes($0) })
    }
}
