public import RunModel

/// A commit in a list.
public struct ListedCommit: Sendable, Hashable {
    /// The commit.
    public let commit: ObjectID
    /// Its tree.
    public let tree: ObjectID
    /// The first line of its message; untrusted text.
    public let subject: String
}

extension GitRepository {
    /// The commits of a range such as `main..HEAD`, the newest first.
    ///
    /// - Parameters:
    ///   - limit: At most this many; all if `nil`.
    ///   - isFirstParent: Whether to follow only first parents.
    /// - Throws: `GitError.failed` for an invalid range, with git's message.
    public func commits(
        in range: String, limit: Int? = nil, isFirstParent: Bool = false
    ) async throws(GitError) -> [ListedCommit] {
        let bounds: [GitArgument] =
            (limit.map { [GitArgument("--max-count=\($0)")] } ?? []) + (isFirstParent ? ["--first-parent"] : [])
        var commits: [ListedCommit] = []
        for entry in try await log("%H %T %s", bounds + ["--end-of-options", GitArgument(range), "--"]) {
            let fields = entry.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let commit = ObjectID(bytes: fields[0]), let tree = ObjectID(bytes: fields[1])
            else {
                throw .unexpectedOutput(command: "log", detail: "an entry without a commit and its tree")
            }
            commits.append(
                ListedCommit(commit: commit, tree: tree, subject: String(decoding: fields[2], as: UTF8.self)))
        }
        return commits
    }

    /// What git's log says of commits, each in a format.
    func log(_ format: String, _ arguments: [GitArgument]) async throws(GitError) -> [ArraySlice<UInt8>] {
        try await run(
            "log",
            [
                "-z", "--no-show-signature", "--no-decorate", "--no-notes", "--no-color", "--no-patch",
                "--encoding=UTF-8", GitArgument("--format=\(format)"),
            ] + arguments,
            scope: .objects
        ).checked("log").bytes.split(separator: 0)
    }

    /// The commit of a name, with its `Revision`; `nil` if there is none.
    public func revision(of name: String) async throws(GitError) -> (commit: ObjectID, revision: Revision)? {
        guard let id = try await commit(at: name) else { return nil }
        let (_, tree, subject, author) = try await commit(id)
        let branch = try await currentBranch()
        let isCheckedOut = try await commit(at: "HEAD") == id
        let revision = Revision(
            commit: id.hexadecimal, tree: tree.hexadecimal, branch: isCheckedOut ? branch : nil, subject: subject,
            author: author, isDirty: false)
        return (id, revision)
    }
}
