public import RunModel

/// The result of the search for the base of a change.
public enum BaseSearch: Sendable, Hashable {
    /// There is one; or several, all of which count.
    case found(BaseCommit, others: [BaseCommit] = [])
    /// There is no base: the repository has no commit yet, or only the one that is judged.
    case none(reason: String)
    /// There may be a base, but there is no default branch and no remote that could have it.
    case undetermined(reason: String)
    /// There is a base, but this clone does not have it or does not know its branch.
    case unknown(reason: String)
}

extension GitRepository {
    /// The base of what is checked out or about to be committed.
    ///
    /// - Parameters:
    ///   - head: The commit that is judged; `nil` is the one that is checked out.
    ///   - branch: The default branch.
    ///   - isCommit: Whether that commit is judged as it is, and not what was changed since.
    ///   - isNext: Whether it is to be a state of the default branch, which does not have it yet; if `nil`, it is one if the local branch
    ///     of that name has it.
    ///   - states: What is known of the commits that were states of the default branch; `nil` if that cannot be found out.
    public func base(
        of head: ObjectID? = nil, on branch: DefaultBranch?, isCommit: Bool, isNext: Bool? = nil,
        knowing states: @Sendable () -> BranchStates? = { BranchStates() }
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
        let common = try await mergeBases(branch.tip, head)
        if isCommit, common == [head] { return try await baseOnBranch(branch, of: head, knowing: states) }
        let unrelated = BaseCommit(commit: branch.tip.hexadecimal, kind: .unrelated, name: branch.name)
        let found = try await base(
            among: common, of: (branch.tip, head), as: .mergeBase, named: branch.name, unrelated: unrelated)
        guard isCommit, case .found = found else { return found }
        let isState = if let isNext { isNext } else { try await isAhead(of: branch, head) }
        guard isState else { return found }
        return try await base(
            onto: common.isEmpty ? [branch.tip] : common, of: branch.name, otherwise: found, knowing: states)
    }

    /// Whether the local branch that has the name of a remote's default branch has a commit: it is there to be pushed onto that branch.
    private func isAhead(of branch: DefaultBranch, _ head: ObjectID) async throws(GitError) -> Bool {
        guard branch.name != branch.branch, let local = try await commit(at: "refs/heads/\(branch.branch)"),
            local != branch.tip
        else { return false }
        if local == head { return true }
        return try await mergeBases(local, head) == [head]
    }

    /// The base that the user named: the commits where the change left that revision, or the revision itself where it left it nowhere.
    ///
    /// - Throws: `GitError.failed` when there is no such commit.
    public func base(named revision: String, of head: ObjectID? = nil) async throws(GitError) -> BaseSearch {
        guard let named = try await commit(at: revision) else {
            throw .failed(command: "rev-parse", status: 1, message: "no commit '\(GitName(revision))'")
        }
        let itself = BaseCommit(commit: named.hexadecimal, kind: .named, name: revision)
        let head = if let head { head } else { try await commit(at: "HEAD") }
        guard let head else { return .found(itself) }
        return try await base(
            among: try await mergeBases(named, head), of: (named, head), as: .named, named: revision, unrelated: itself)
    }

    /// The common ancestors of two commits as bases: all of them, where the history of this clone hides no nearer one.
    ///
    /// - Parameter unrelated: The base where they have none in common.
    private func base(
        among common: [ObjectID], of commits: (ObjectID, ObjectID), as kind: BaseCommit.Kind, named name: String,
        unrelated: BaseCommit
    ) async throws(GitError) -> BaseSearch {
        let bases = common.map { BaseCommit(commit: $0.hexadecimal, kind: kind, name: name) }
        guard let first = bases.first else {
            return try await isShallow()
                ? .unknown(reason: "the history of this clone ends before \(name)") : .found(unrelated)
        }
        if try await isCut(between: commits.0, and: commits.1) {
            return .unknown(reason: "the history of this clone is cut where a nearer commit of \(name) may be")
        }
        return .found(first, others: Array(bases.dropFirst()))
    }

    /// The base of a pushed commit: if the push is to the default branch the remote's commit, or what went before it if that did not pass.
    public func base(
        of commit: PushedTrees.Commit, on branch: DefaultBranch?,
        knowing states: @Sendable () -> BranchStates? = { BranchStates() }
    ) async throws(GitError) -> BaseSearch {
        for ref in commit.refs where !ref.isNew {
            guard let branch, ref.remoteName == GitName("refs/heads/\(branch.branch)") else { continue }
            // Git refuses such a push, unless it is forced.
            guard let old = try await self.commit(at: ref.remoteObject.hexadecimal) else {
                return .unknown(
                    reason: "this clone does not have the commit \(ref.remoteObject.hexadecimal.prefix(12)) that "
                        + "\(branch.branch) is on the remote; fetch it")
            }
            let itself = BaseCommit(commit: old.hexadecimal, kind: .pushed, name: branch.branch)
            return try await base(onto: [old], of: branch.branch, otherwise: .found(itself), knowing: states)
        }
        // A history that is pushed to an empty server has no base.
        if branch == nil, workTree == nil, try await !hasBranch(["refs/heads", "refs/remotes"]),
            try await !isShallow()
        {
            return .none(reason: "the repository it is pushed to has no branch yet")
        }
        // What is pushed to another branch is no state of the default branch, whatever the local branch of that name has.
        let isNext = commit.refs.contains { ref in
            branch.map { ref.remoteName == GitName("refs/heads/\($0.branch)") } ?? false
        }
        return try await base(of: commit.commit, on: branch, isCommit: true, isNext: isNext, knowing: states)
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
        if answer.status == 0 { return ObjectID(bytes: answer.line) }
        let commits = try await commits(beginning: revision)
        if commits.count > 1 { throw .ambiguous(name: revision, commits: commits) }
        return nil
    }

    /// How many commits an error lists, if a short name is that of several.
    private static let mostCandidates = 20

    /// The commits whose names begin with a short name, if there are several, else none. Git itself says only that there is no such
    /// commit.
    private func commits(beginning start: String) async throws(GitError) -> [String] {
        guard (4..<40).contains(start.utf8.count), start.utf8.allSatisfy({ "0123456789abcdefABCDEF".utf8.contains($0) })
        else { return [] }
        let list = try await run("rev-parse", ["--disambiguate=\(start)"], scope: .objects)
        let names = list.status == 0 ? list.bytes.split(separator: UInt8(ascii: "\n")) : []
        guard names.count > 1 else { return [] }
        let kinds = try await run(
            "cat-file", ["--batch-check=%(objectname) %(objecttype)"], scope: .objects,
            input: Array(names.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
        ).checked("cat-file")
        return kinds.text.split(separator: "\n").filter { $0.hasSuffix(" commit") }.prefix(Self.mostCandidates)
            .compactMap { $0.split(separator: " ").first.map(String.init) }
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

    /// The best common ancestor of two commits, any one of several; `nil` when there is none in this clone.
    public func mergeBase(_ left: ObjectID, _ right: ObjectID) async throws(GitError) -> ObjectID? {
        try await mergeBases(left, right).first
    }

    /// All common ancestors of two commits that are no ancestors of each other; none if there are none in this clone.
    func mergeBases(_ left: ObjectID, _ right: ObjectID) async throws(GitError) -> [ObjectID] {
        if left == right { return [left] }
        let answer = try await run(
            "merge-base",
            ["--all", "--end-of-options", GitArgument(left.hexadecimal), GitArgument(right.hexadecimal)],
            scope: .objects)
        switch answer.status {
        case 0:
            let names = answer.bytes.split(separator: UInt8(ascii: "\n"))
            let found = names.compactMap { ObjectID(bytes: $0) }
            guard found.count == names.count, !found.isEmpty else {
                throw .unexpectedOutput(command: "merge-base", detail: "no names of commits")
            }
            return found
        case 1: return []
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

    /// Whether the repository has a branch of its own.
    public func hasBranches() async throws(GitError) -> Bool { try await hasBranch(["refs/heads"]) }

    private func hasBranch(_ filter: [GitArgument]) async throws(GitError) -> Bool {
        let found = try await run("for-each-ref", ["--count=1", "--format=%(refname)"] + filter)
        return try !found.checked("for-each-ref").line.isEmpty
    }

    func isShallow() async throws(GitError) -> Bool {
        try await run("rev-parse", ["--is-shallow-repository"]).checked("rev-parse").text == "true"
    }
}
