extension ShadowTree {
    /// Makes the folder contain exactly one tree, without missing, changed or additional files.
    ///
    /// Checkout filters (line ends, LFS) apply as they do for the user. Submodules are checked out if their
    /// repository is here and has the commit.
    public borrowing func materialize(_ tree: ObjectID) async throws(ShadowTreeError) -> MaterializedTree {
        let layout = TreeLayout(
            program: repository.git, gitDirectory: repository.commonDirectory, workTree: repository.workTree,
            path: path,
            index: index)
        return MaterializedTree(tree: tree, path: path, remarks: try await layout.materialize(tree))
    }
}
