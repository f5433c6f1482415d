import Gate
import Repository
import RunModel

extension BaselineFinder {
    /// The same, with the comparisons of further bases put into the baseline.
    func comparison(
        of revision: Revision?, completing baseline: inout Baseline?, by policy: Policy, isNamed: Bool = false,
        isOfAll: Bool = false
    ) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        var (comparison, notes) = try await comparison(
            of: revision, with: baseline, by: policy, isNamed: isNamed, isOfAll: isOfAll)
        for index in baseline?.others?.indices ?? 0..<0 {
            let other = baseline?.others?[index].baseline
            let found = try await self.comparison(
                of: revision, with: other, by: policy, isNamed: isNamed, isOfAll: isOfAll)
            baseline?.others?[index].comparison = found.comparison
            notes += found.notes.filter { !notes.contains($0) }
        }
        return (comparison, notes)
    }

    /// Which lines of a run changed since its base, where there is one; and what is missing for an answer.
    ///
    /// What git cannot tell is an error where a rule or a person asks for it, and else a note.
    ///
    /// - Parameter isOfAll: Whether files of all languages are compared, and not only Swift's.
    func comparison(
        of revision: Revision?, with baseline: Baseline?, by policy: Policy, isNamed: Bool = false,
        isOfAll: Bool = false
    ) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        guard let base = baseline?.commit else { return (nil, []) }
        do {
            return try await ChangeFinder(repository: repository, home: home, project: project, subpath: subpath)
                .compare(revision, with: base, of: baseline?.project, isOfAll: isOfAll)
        } catch let error as GitError {
            if isNamed || policy.asksForComparison || baseline?.settings?.policy.asksForComparison == true {
                throw error
            }
            let detail = "which lines changed since cannot be told: \(error)"
            return (nil, [Note(.baseUnreadable, subject: base.name, detail: detail)])
        }
    }
}
