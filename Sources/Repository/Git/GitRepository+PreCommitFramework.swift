extension GitRepository {
    /// The refs of a push whose standard input another hook has read: the pre-commit framework passes them in
    /// variables.
    ///
    /// Used only if standard input was empty, so that no variable can hide a ref that git named.
    public func refsFromPreCommitFramework() async throws(GitError) -> [PushedRef] {
        let variables = git.environment.inherited
        guard let local = variables["PRE_COMMIT_TO_REF"] ?? variables["PRE_COMMIT_LOCAL_BRANCH"], !local.isEmpty,
            let remoteName = variables["PRE_COMMIT_REMOTE_BRANCH"] ?? variables["PRE_COMMIT_LOCAL_BRANCH"]
        else { return [] }
        let localObject = try await object(local)
        let remoteObject =
            if let remote = variables["PRE_COMMIT_FROM_REF"], !remote.isEmpty {
                try await object(remote)
            } else {
                localObject.zero
            }
        return [
            PushedRef(
                localName: GitName(variables["PRE_COMMIT_LOCAL_BRANCH"] ?? local),
                localObject: localObject,
                remoteName: GitName(remoteName),
                remoteObject: remoteObject
            )
        ]
    }

    /// The object of a revision; a full object id is used unchanged.
    private func object(_ revision: String) async throws(GitError) -> ObjectID {
        if let object = ObjectID(revision) { return object }
        let answer = try await run(
            "rev-parse",
            ["--verify", "--end-of-options", GitArgument(revision)],
            scope: .objects
        )
        guard let object = ObjectID(bytes: try answer.checked("rev-parse").line) else {
            throw .unexpectedOutput(command: "rev-parse", detail: "no object name for \(GitName(revision))")
        }
        return object
    }
}
