extension GitRepository {
    /// Whether this clone knows a branch, its own or that of a remote, and none of what it knows of it has a commit. Where the history
    /// is cut nothing of the kind is known.
    ///
    /// - Parameter branch: The name, without `refs/heads/`.
    public func isKnown(_ branch: String, without commit: ObjectID) async throws(GitError) -> Bool {
        let places: [GitArgument] = ["refs/heads/\(branch)", "refs/remotes/*/\(branch)"]
        let known = try await run("for-each-ref", ["--count=1", "--format=%(refname)"] + places)
        if try known.checked("for-each-ref").line.isEmpty { return false }
        if try await isShallow() { return false }
        let having = try await run(
            "for-each-ref",
            ["--count=1", "--contains", GitArgument(commit.hexadecimal), "--format=%(refname)"] + places)
        return try having.checked("for-each-ref").line.isEmpty
    }
}
