public import RunModel

extension GitRepository {
    /// The tree and revision that the commit being made will have. For a pre-commit hook.
    ///
    /// Honors `GIT_INDEX_FILE`, so it is right for `git commit -a`, `git commit PATH`, `--amend` and a merge. Works
    /// on a copy of that index, because git would write the computed tree into the user's.
    /// - Throws: `GitError.failed` with git's message, for instance while conflicts are unresolved.
    public func stagedTree() async throws(GitError) -> (tree: ObjectID, revision: Revision) {
        let index = git.environment.inherited["GIT_INDEX_FILE"].map(absolute)
        let answer = try await withCopyOfIndex(of: index) { copy throws(GitError) in
            try await run("write-tree", scope: .objects, adding: ["GIT_INDEX_FILE": copy]).checked("write-tree")
        }
        guard let tree = ObjectID(bytes: answer.line) else {
            throw .unexpectedOutput(command: "write-tree", detail: "no object name")
        }
        let branch = try await currentBranch()
        return (tree, Revision(commit: nil, tree: tree.hexadecimal, branch: branch, isDirty: false, attempt: .staged))
    }

    /// A path in a hook's variable is relative to the top of the work tree, where git runs hooks.
    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : (workTree ?? gitDirectory) + "/" + path
    }
}
