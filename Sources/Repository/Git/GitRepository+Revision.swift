public import RunModel

extension GitRepository {
    /// The revision of a working copy.
    ///
    /// It is dirty if any file of the whole repository differs from the commit or is new and not ignored, because a
    /// package may use other folders of the repository. Files that git does not check (`assume-unchanged`, a sparse
    /// checkout) count as different.
    public func revision() async throws(GitError) -> Revision {
        async let asked = attempt { () throws(GitError) in try await self.workTreeState() }
        guard let id = try await commit(at: "HEAD") else {
            return Revision(commit: nil, tree: nil, branch: try await asked.get().branch, isDirty: true)
        }
        let commit = try await commit(id)
        let state = try await asked.get()
        return Revision(
            commit: commit.id.hexadecimal,
            tree: state.isDirty ? nil : commit.tree.hexadecimal,
            branch: state.branch,
            subject: commit.subject,
            author: commit.author,
            isDirty: state.isDirty
        )
    }

    /// A commit with its tree, the first line of its message, and its author.
    func commit(
        _ id: ObjectID
    ) async throws(GitError) -> (id: ObjectID, tree: ObjectID, subject: String, author: String?) {
        if case .object(let commit) = await objects.answer(to: id.hexadecimal), let tree = commit.tree,
            let subject = commit.subject
        {
            return (id, tree, subject, commit.author)
        }
        let answer = try await run(
            "log",
            [
                "-1", "--no-show-signature", "--no-decorate", "--no-notes", "--no-color", "--no-patch",
                "--encoding=UTF-8", "--format=%T%x00%an%x00%s", "--end-of-options", GitArgument(id.hexadecimal),
            ],
            scope: .objects
        ).checked("log")
        let parts = answer.line.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let tree = ObjectID(bytes: parts[0]) else {
            throw .unexpectedOutput(command: "log", detail: "no tree for commit \(id)")
        }
        let author = String(decoding: parts[1], as: UTF8.self)
        return (id, tree, String(decoding: parts[2], as: UTF8.self), author.isEmpty ? nil : author)
    }

    /// The branch that is checked out, also before its first commit; `nil` when detached.
    public func currentBranch() async throws(GitError) -> String? {
        let answer = try await run("symbolic-ref", ["--quiet", "HEAD"])
        switch answer.status {
        case 0: return GitName(bytes: answer.line).dropping(prefix: "refs/heads/")?.shownOrText
        case 1: return nil
        default: throw .failed(command: "symbolic-ref", status: answer.status, message: answer.message)
        }
    }

    /// Which branch is checked out, and whether anything in the work tree differs from its commit.
    private func workTreeState() async throws(GitError) -> (branch: String?, isDirty: Bool) {
        guard workTree != nil else { return (try await currentBranch(), false) }
        async let listed = attempt { () throws(GitError) in
            try await run("ls-files", ["-v", "-z"]).checked("ls-files")
        }
        let status = try await run(
            "status",
            [
                "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--untracked-files=normal",
                "--ignore-submodules=none", "--no-renames",
            ]
        ).checked("status")
        let state = GitName.list(status.bytes)
        let head = state.lazy.compactMap { $0.dropping(prefix: "# branch.head ") }.first
        // A branch may have the name that git prints for a detached HEAD.
        let branch = if let head, head.text?.first != "(" { head.shownOrText } else { try await currentBranch() }
        if state.contains(where: { $0.bytes.first != UInt8(ascii: "#") }) { return (branch, true) }
        let flags = try await listed.get()
        // `H` is an ordinary entry; a lower-case letter means assume-unchanged, `S` means not checked out.
        return (branch, GitName.list(flags.bytes).contains { $0.bytes.first.map { $0 != UInt8(ascii: "H") } ?? false })
    }
}

extension GitName {
    /// The name as text, or in the form for people if it is not valid text.
    var shownOrText: String { text ?? description }
}
