import Gate
package import Repository
import RunModel

extension TreeJudge.Subject {
    /// The tree of a commit, or what is staged where none is named, and its base.
    package static func named(_ commit: String?, in repository: GitRepository) async throws -> TreeJudge.Subject {
        guard let commit else {
            let staged = try await repository.stagedTree()
            return TreeJudge.Subject(tree: staged.tree, revision: staged.revision, head: .staged(staged.tree))
        }
        guard let (id, revision) = try await repository.revision(of: commit),
            let tree = revision.tree.flatMap({ ObjectID($0) })
        else { throw Problem(.usage, "there is no commit '\(commit)'", hint: "git log --oneline --all lists them") }
        return TreeJudge.Subject(tree: tree, revision: revision, head: .commit(id, tree: tree))
    }
}
