import RunModel

/// Finds the place of a commit among the states of its branch; the tip of the branch has the last place.
///
/// A commit takes its place when the branch is first known to have it: testing an older one again does not make it the tip. Where
/// the history is known, a commit stands behind its ancestors and before its descendants, whenever they were tested.
struct BranchPlaces {
    /// How many commits of a branch, ancestors and descendants are looked at.
    private static let most = 2000

    private let connection: Connection
    private let project: Int64

    init(_ connection: Connection, project: Int64) { (self.connection, self.project) = (connection, project) }

    /// Notes which commits come before others.
    func note(_ history: [CommitParents]) throws {
        let insert = try connection.statement(
            "INSERT OR IGNORE INTO commit_parent (project, child, parent) VALUES (?1, ?2, ?3)")
        for entry in history {
            for parent in entry.parents { try insert.execute(project, entry.commit, parent) }
        }
    }

    /// The place of a commit that is judged at a moment, both in nanoseconds since 1970. Its earlier verdicts move to the same place.
    func place(of revision: Revision?, at moment: Int64) throws -> Int64 {
        guard let commit = revision?.commit, let name = revision?.branch else { return moment }
        let branch = Bytes(name)
        let known = try connection.statement(.placeOfCommit).first(commit, project, branch) { $0.optionalInteger(0) }
        if let known = known ?? nil, known <= moment { return known }
        let place = try newPlace(of: commit, on: branch, at: moment)
        try connection.statement(
            "UPDATE verdict SET place = ?4 WHERE commit_id = ?1 AND project = ?2 AND branch = ?3 AND is_state = 1"
        ).execute(commit, project, branch, place)
        return place
    }

    private func newPlace(of commit: String, on branch: Bytes, at moment: Int64) throws -> Int64 {
        let others = try connection.statement(.placesOfBranch)
            .all(project, branch, Self.most) { (commit: $0.text(0), place: $0.integer(1)) }
            .filter { $0.commit != commit }
        guard !others.isEmpty else { return moment }
        let before = Set(try connection.statement(.ancestors).all(project, commit, Self.most) { $0.text(0) })
        let after = Set(try connection.statement(.descendants).all(project, commit, Self.most) { $0.text(0) })
        let lower = others.filter { before.contains($0.commit) }.map(\.place).max()
        let upper = others.filter { after.contains($0.commit) }.map(\.place).min()
        let place = lower.map { max(moment, $0 + 1) } ?? moment
        return upper.map { min(place, $0 - 1) } ?? place
    }
}
