import Gate
import Repository
import RunModel

extension BaselineFinder {
    /// Which lines of a run changed since its base, if a rule or somebody asks for it; and what is missing for an answer.
    func comparison(
        of revision: Revision?, with baseline: Baseline?, by policy: Policy, isNamed: Bool = false
    ) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        guard let base = baseline?.commit,
            isNamed || policy.asksForComparison || baseline?.bar?.policy.asksForComparison == true
        else { return (nil, []) }
        return try await ChangeFinder(repository: repository, home: home, project: project, subpath: subpath)
            .compare(revision, with: base, of: baseline?.project)
    }
}

extension Policy {
    /// Whether a rule compares with the lines of a base.
    var asksForComparison: Bool { patch != nil || project?.mayDrop != nil }
}
