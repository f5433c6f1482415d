extension GitRepository {
    /// The commit that is checked out, as the ref of a push without named refs; empty if the remote already has it.
    ///
    /// A pre-push hook is given no ref when everything is up to date, and when another hook has read the list before it.
    /// - Parameter remote: The name or the address of the remote, as git passes it to the hook; `nil` for any remote.
    public func refsOfUnnamedPush(to remote: String?) async throws(GitError) -> [PushedRef] {
        guard let head = try await commit(at: "HEAD") else { return [] }
        let places = "refs/remotes/" + (remote.map { "\($0)/" } ?? "")
        let having = try await run(
            "for-each-ref", ["--contains", GitArgument(head.hexadecimal), "--format=%(refname)", "refs/remotes"]
        ).checked("for-each-ref")
        // Not used as a pattern: a remote may be an address with a literal star.
        let names = having.bytes.split(separator: UInt8(ascii: "\n"))
        if names.contains(where: { $0.starts(with: places.utf8) }) { return [] }

        guard let branch = try await currentBranch() else {
            let name = GitName("HEAD")
            return [PushedRef(localName: name, localObject: head, remoteName: name, remoteObject: head.zero)]
        }
        let name = GitName("refs/heads/\(branch)")
        let there: ObjectID? = if remote == nil { nil } else { try await commit(at: places + branch) }
        return [PushedRef(localName: name, localObject: head, remoteName: name, remoteObject: there ?? head.zero)]
    }
}
