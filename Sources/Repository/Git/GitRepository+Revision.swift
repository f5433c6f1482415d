public import RunModel

extension GitRepository {
    /// What the working copy of a package stands at.
    ///
    /// It is dirty when any file of the whole repository differs from the commit or is new and not ignored: a package may
    /// use folders beside its own. Files that git was told not to look at (`assume-unchanged`, a sparse checkout) count as
    /// different, because nobody can say that they are not.
    public func revision() async throws(GitError) -> Revision {
        async let named = attempt { () throws(GitError) in try await self.currentBranch() }
        async let changed = attempt { () throws(GitError) in try await self.isDirty() }
        let head = try await run("rev-parse", ["--verify", "--quiet", "--end-of-options", "HEAD^{commit}"])
        guard head.status == 0, let id = ObjectID(bytes: head.line) else {
            return Revision(commit: nil, tree: nil, branch: try await named.get(), isDirty: true)
        }
        let commit = try await commit(id)
        let (branch, isDirty) = (try await named.get(), try await changed.get())
        return Revision(
            commit: commit.id.hexadecimal,
            tree: isDirty ? nil : commit.tree.hexadecimal,
            branch: branch,
            subject: commit.subject,
            isDirty: isDirty
        )
    }

    /// A commit with its tree and the first line of its message.
    func commit(_ id: ObjectID) async throws(GitError) -> (id: ObjectID, tree: ObjectID, subject: String) {
        let answer = try await run(
            "log",
            [
                "-1", "--no-show-signature", "--no-decorate", "--no-notes", "--no-color", "--no-patch",
                "--encoding=UTF-8", "--format=%T%x00%s", "--end-of-options", GitArgument(id.hexadecimal),
            ],
            scope: .objects
        ).checked("log")
        let parts = answer.line.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let tree = ObjectID(bytes: parts[0]) else {
            throw .unexpectedOutput(command: "log", detail: "no tree for commit \(id)")
        }
        return (id, tree, String(decoding: parts[1], as: UTF8.self))
    }

    /// The branch that is checked out, also before its first commit; `nil` when detached.
    func currentBranch() async throws(GitError) -> String? {
        let answer = try await run("symbolic-ref", ["--quiet", "HEAD"])
        switch answer.status {
        case 0: return GitName(bytes: answer.line).dropping(prefix: "refs/heads/")?.shownOrText
        case 1: return nil
        default: throw .failed(command: "symbolic-ref", status: answer.status, message: answer.message)
        }
    }

    private func isDirty() async throws(GitError) -> Bool {
        guard workTree != nil else { return false }
        async let listed = attempt { () throws(GitError) in
            try await run("ls-files", ["-v", "-z"]).checked("ls-files")
        }
        let status = try await run(
            "status",
            ["--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=none", "--no-renames"]
        ).checked("status")
        guard status.bytes.isEmpty else { return true }
        let flags = try await listed.get()
        return GitName.list(flags.bytes).contains { entry in
            // `H` is an ordinary entry; a small letter was told unchanged, `S` is not checked out.
            entry.bytes.first.map { $0 != UInt8(ascii: "H") } ?? false
        }
    }
}

extension GitName {
    /// The name as text where it is text, else as it is shown to people.
    var shownOrText: String { text ?? description }
}
