import Gate
import Repository
import RunModel

/// Finds the line of commits between the one where a test passed and the one where it failed.
struct CulpritLines: Sendable {
    /// For how many commits stored runs are looked up.
    private static let mostLooked = 2000

    let repository: GitRepository
    let test: TestID
    let knowledge: CulpritKnowledge

    /// The line, the good end first, the bad end last: ends that nobody named are those of stored runs.
    func line(from good: String?, to bad: String?) async throws -> [LineCommit] {
        let head = try await commit(bad ?? "HEAD")
        let start: ObjectID? = if let good { try await commit(good) } else { nil }
        if let start, bad != nil { return try await line(from: start, to: head) }
        let newest: [LineCommit]
        if let start {
            newest = Array(try await line(from: start, to: head).reversed())
        } else {
            newest = try await repository.line(to: head, limit: Self.mostLooked)
        }
        var outcomes = newest.map { knowledge.stored(of: $0.tree) }
        if bad != nil, !outcomes.isEmpty { outcomes[0] = TreeOutcomes(failures: 1) }
        if start != nil, !outcomes.isEmpty { outcomes[outcomes.count - 1] = TreeOutcomes(passes: 1) }
        switch CulpritEnds(newestFirst: outcomes) {
        case .found(let good, let bad):
            // An end that somebody named is the end, whatever is stored of what lies between.
            let oldest = start == nil ? good : newest.count - 1
            return Array(newest[bad...oldest].reversed())
        case .passes(let place):
            throw Problem(
                .usage, "\(test) passes in the newest run that is stored of these commits, of \(name(newest[place]))",
                hint: "name a commit where it fails with --bad")
        case .neverPassed(let place):
            throw Problem(
                .usage, "no run is stored in which \(test) passed before it failed on \(name(newest[place]))",
                hint: "name a commit where it passes with --good")
        case .unknown:
            throw Problem(
                .usage, "no run of these commits is stored in which \(test) ran",
                hint: "name the ends with --good and --bad")
        }
    }

    /// The line between two commits.
    func line(from good: ObjectID, to bad: ObjectID) async throws -> [LineCommit] {
        let between = try await repository.line(to: bad, from: good, limit: CulpritHunt.mostCommits + 1)
        guard between.count <= CulpritHunt.mostCommits else {
            let most = Figures.grouped(CulpritHunt.mostCommits)
            throw Problem(
                .usage, "there are more than \(most) commits between the ends, or they are of two branches",
                hint: "name nearer ones with --good and --bad")
        }
        guard let oldest = between.last, oldest.parents.first == good,
            let first = try await repository.line(to: good, limit: 1).first
        else {
            throw Problem(
                .usage,
                "\(bad.hexadecimal.prefix(12)) does not come from \(good.hexadecimal.prefix(12)) by first parents",
                hint: "name commits of one branch: git log --first-parent --oneline lists them")
        }
        return [first] + Array(between.reversed())
    }

    private func commit(_ name: String) async throws -> ObjectID {
        guard let commit = try await repository.commit(at: name) else {
            throw Problem(.usage, "there is no commit '\(name)'", hint: "git log --oneline --all lists them")
        }
        return commit
    }

    private func name(_ commit: LineCommit) -> String { String(commit.commit.hexadecimal.prefix(12)) }
}
