public import RunModel

/// The result of the search for the base of a change.
public enum BaseSearch: Sendable, Hashable {
    /// There is one.
    case found(BaseCommit)
    /// There is no base: the repository has no commit yet, or only the one that is judged.
    case none(reason: String)
    /// There may be a base, but there is no default branch and no remote that could have it.
    case undetermined(reason: String)
    /// There is a base, but this clone does not have it or does not know its branch.
    case unknown(reason: String)
}

/// The default branch, as this clone knows it.
public struct DefaultBranch: Sendable, Hashable {
    /// The name for people, such as `origin/main`.
    public let name: String
    /// Its newest commit.
    public let tip: ObjectID
}

extension GitRepository {
    /// The default branch: the preferred one, else that of the remote `origin`, else `main` or `master`.
    ///
    /// The remote's branch comes before a local branch of the same name, which may contain the change itself.
    public func defaultBranch(preferring preferred: String? = nil) async throws(GitError) -> DefaultBranch? {
        if let preferred, let branch = try await branch(named: preferred) { return branch }
        if workTree == nil, let branch = try await servedBranch() { return branch }
        return try await usualBranches().first
    }

    /// The default branch of `origin` and the branches with the usual names, the best first, found by one call.
    private func usualBranches() async throws(GitError) -> [DefaultBranch] {
        let remote = "refs/remotes/"
        let names =
            ["\(remote)origin/HEAD"] + ["main", "master"].flatMap { ["\(remote)origin/\($0)", "refs/heads/\($0)"] }
        // Names contain no space. Only symbolic refs have a target.
        let answer = try await run(
            "for-each-ref",
            ["--format=%(refname) %(objecttype) %(objectname) %(symref)"] + names.map { GitArgument($0) })
        var found: [String: DefaultBranch] = [:]
        for line in try answer.checked("for-each-ref").bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { GitName(bytes: $0).text }
            guard fields.count == 4, let place = fields[0], let kind = fields[1], let link = fields[3] else { continue }
            let target = place == names[0] ? link : place
            let named = fields[2].flatMap { ObjectID($0) }
            guard let tip = if kind == "commit" { named } else { try await commit(at: place) } else { continue }
            if target.hasPrefix(remote) {
                found[place] = DefaultBranch(name: String(target.dropFirst(remote.count)), tip: tip)
            } else if place != names[0] {
                found[place] = DefaultBranch(name: String(place.dropFirst("refs/heads/".count)), tip: tip)
            }
        }
        return names.compactMap { found[$0] }
    }

    /// The HEAD branch of a server's repository.
    private func servedBranch() async throws(GitError) -> DefaultBranch? {
        let head = try await run("symbolic-ref", ["--quiet", "HEAD"])
        guard head.status == 0, let name = GitName(bytes: head.line).dropping(prefix: "refs/heads/")?.text,
            let tip = try await commit(at: "refs/heads/\(name)")
        else { return nil }
        return DefaultBranch(name: name, tip: tip)
    }

    private func branch(named name: String) async throws(GitError) -> DefaultBranch? {
        if let tip = try await commit(at: "refs/remotes/origin/\(name)") {
            return DefaultBranch(name: "origin/\(name)", tip: tip)
        }
        return try await commit(at: "refs/heads/\(name)").map { DefaultBranch(name: name, tip: $0) }
    }

    /// The base of what is checked out or about to be committed.
    ///
    /// - Parameters:
    ///   - head: The commit that is judged; `nil` is the one that is checked out.
    ///   - branch: The default branch.
    ///   - isCommit: Whether that commit is judged as it is, and not what was changed since.
    public func base(
        of head: ObjectID? = nil, on branch: DefaultBranch?, isCommit: Bool
    ) async throws(GitError) -> BaseSearch {
        guard let head = if let head { head } else { try await commit(at: "HEAD") } else {
            return .none(reason: "there is no commit yet")
        }
        guard let branch else {
            if try await mayLackBranches() {
                return .unknown(
                    reason: "no default branch is known in this clone; if it is here, 'base:' in .kanmon.yml names it")
            }
            return try await isFirst(head) && isCommit
                ? .none(reason: "it is the first commit") : .undetermined(reason: "no default branch is known")
        }
        guard let common = try await mergeBase(branch.tip, head) else {
            return try await isShallow()
                ? .unknown(reason: "the history of this clone ends before \(branch.name)")
                : .found(BaseCommit(commit: branch.tip.hexadecimal, kind: .unrelated, name: branch.name))
        }
        guard isCommit, common == head else {
            return .found(BaseCommit(commit: common.hexadecimal, kind: .mergeBase, name: branch.name))
        }
        // The commit is on the default branch: it is compared with its parent.
        if let parent = try await commit(at: "\(head)^1") {
            return .found(BaseCommit(commit: parent.hexadecimal, kind: .parent, name: branch.name))
        }
        return try await isShallow()
            ? .unknown(reason: "the history of this clone ends at the commit that is judged")
            : .none(reason: "it is the first commit")
    }

    /// The base that the user named: the commit where the change left that revision, or the revision itself.
    ///
    /// - Throws: `GitError.failed` when there is no such commit.
    public func base(named revision: String, of head: ObjectID? = nil) async throws(GitError) -> BaseCommit {
        guard let named = try await commit(at: revision) else {
            throw .failed(command: "rev-parse", status: 1, message: "no commit '\(GitName(revision))'")
        }
        let head = if let head { head } else { try await commit(at: "HEAD") }
        let common: ObjectID? = if let head { try await mergeBase(named, head) } else { nil }
        return BaseCommit(commit: (common ?? named).hexadecimal, kind: .named, name: revision)
    }

    /// The base of a pushed commit: the remote's commit, if the push is to the default branch.
    public func base(
        of commit: PushedTrees.Commit, on branch: DefaultBranch?
    ) async throws(GitError) -> BaseSearch {
        let name = branch?.name.split(separator: "/").last.map(String.init)
        for ref in commit.refs where !ref.isNew {
            guard let name, ref.remoteName.text == "refs/heads/\(name)" else { continue }
            // Without its object the base is unknown; git will refuse such a push anyway.
            guard let old = try await self.commit(at: ref.remoteObject.hexadecimal) else { continue }
            return .found(BaseCommit(commit: old.hexadecimal, kind: .pushed, name: name))
        }
        // A history that is pushed to an empty server has no base.
        if branch == nil, workTree == nil, try await !hasBranch(["refs/heads", "refs/remotes"]),
            try await !isShallow()
        {
            return .none(reason: "the repository it is pushed to has no branch yet")
        }
        return try await base(of: commit.commit, on: branch, isCommit: true)
    }

    /// The commit that a revision names; `nil` when there is none.
    public func commit(at revision: String) async throws(GitError) -> ObjectID? {
        if Self.isPlain(revision) {
            switch await objects.answer(to: "\(revision)^{commit}") {
            case .object(let commit): return commit.id
            case .none: return nil
            case .strayLink, .unknown: break
            }
        }
        let answer = try await run(
            "rev-parse", ["--verify", "--quiet", "--end-of-options", GitArgument("\(revision)^{commit}")],
            scope: .objects)
        return answer.status == 0 ? ObjectID(bytes: answer.line) : nil
    }

    /// Whether a revision is a plain name of a ref, an object or its parent, and no other expression.
    private static func isPlain(_ revision: String) -> Bool {
        let name = revision.hasSuffix("^1") ? revision.dropLast(2) : revision[...]
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/_.-".utf8.contains(byte)
            }
        }
        return isName && (name == "HEAD" || name.hasPrefix("refs/") || ObjectID(name) != nil)
    }

    /// The best common ancestor of two commits; `nil` when there is none in this clone.
    public func mergeBase(_ left: ObjectID, _ right: ObjectID) async throws(GitError) -> ObjectID? {
        if left == right { return left }
        let answer = try await run(
            "merge-base", ["--end-of-options", GitArgument(left.hexadecimal), GitArgument(right.hexadecimal)],
            scope: .objects)
        switch answer.status {
        case 0: return ObjectID(bytes: answer.line)
        case 1: return nil
        default: throw .failed(command: "merge-base", status: answer.status, message: answer.message)
        }
    }

    /// Whether the history is cut, or there are branches of a remote whose default branch may not have been fetched.
    private func mayLackBranches() async throws(GitError) -> Bool {
        if try await isShallow() { return true }
        return try await hasBranch(["refs/remotes"])
    }

    /// Whether it is the first commit: it has no parent, and there is no branch with another history.
    private func isFirst(_ head: ObjectID) async throws(GitError) -> Bool {
        guard try await commit(at: "\(head)^1") == nil else { return false }
        if try await hasBranch(["--no-contains", GitArgument(head.hexadecimal), "refs/heads"]) { return false }
        // A commit that was fetched alone is on no branch, and its origin may have others.
        if workTree == nil { return true }
        return try await hasBranch(["refs/heads"])
    }

    private func hasBranch(_ filter: [GitArgument]) async throws(GitError) -> Bool {
        let found = try await run("for-each-ref", ["--count=1", "--format=%(refname)"] + filter)
        return try !found.checked("for-each-ref").line.isEmpty
    }

    private func isShallow() async throws(GitError) -> Bool {
        try await run("rev-parse", ["--is-shallow-repository"]).checked("rev-parse").text == "true"
    }
}
