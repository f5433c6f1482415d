import Gate
package import Repository
import RunModel

extension TreeJudge {
    /// Whether a pushed commit concerns the package: it contains the package, or replaces or comes from a commit that
    /// does.
    ///
    /// A branch of web pages, notes, and a tag from before the package do not. A push to the default branch always
    /// does, and so does a commit for which this is not certain.
    package func concerns(_ commit: PushedTrees.Commit) async throws -> Bool {
        if try await hasPackage(commit.tree) { return true }
        for ref in commit.refs where !ref.isNew {
            guard let old = try await repository.commit(at: ref.remoteObject.hexadecimal),
                try await !hasPackage(old)
            else { return true }
        }
        let finder = BaselineFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath, project: "",
            swiftOverride: nil)
        guard let usual = try await repository.defaultBranch(), let chosen = try await finder.defaultBranch(),
            !commit.refs.contains(where: { usual.isTarget(of: $0) || chosen.isTarget(of: $0) })
        else { return true }
        switch try await repository.base(of: commit.commit, on: chosen, isCommit: true) {
        case .found(let base, let others) where base.kind == .mergeBase:
            for base in [base] + others {
                guard let base = ObjectID(base.commit), try await !hasPackage(base) else { return true }
            }
            return false
        // Nothing in common with the default branch, or a part of it.
        case .found, .none: return false
        case .undetermined, .unknown: return true
        }
    }

    /// Whether a ref on a server needs a verdict: the default branch, and refs that match the patterns.
    ///
    /// Before the first push the default branch is unknown: then HEAD's branch, `main` and `master` count. Where there are branches, and
    /// none of them is known to be the default one, all count.
    package func isProtected(_ ref: PushedRef, by patterns: [String]) async throws -> Bool {
        let name = ref.remoteName.description
        // A name that is no text is matched as it is shown, so that no odd byte takes a branch out of a pattern.
        let text = ref.remoteName.text ?? name
        let branch = text.hasPrefix("refs/heads/") ? String(text.dropFirst(11)) : nil
        let isNamed = patterns.contains { pattern in
            pattern.hasPrefix("refs/")
                ? Glob(pattern).matches(name) : branch.map { Glob(pattern).matches($0) } ?? false
        }
        if isNamed { return true }
        let finder = BaselineFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath, project: "",
            swiftOverride: nil)
        guard let usual = try await repository.defaultBranch(), let chosen = try await finder.defaultBranch() else {
            if branch != nil, try await repository.hasBranches() { return true }
            let expected = try await [repository.servedBranchName(), "main", "master"]
            return branch.map { branch in expected.contains { $0.map(Name.init) == Name(branch) } } ?? false
        }
        return usual.isTarget(of: ref) || chosen.isTarget(of: ref)
    }

    private func hasPackage(_ commit: ObjectID) async throws -> Bool {
        try await repository.hasFile(at: subpath.path("Package.swift"), in: commit)
    }
}

extension DefaultBranch {
    /// Whether a remote ref is this branch; `true` in doubt.
    fileprivate func isTarget(of ref: PushedRef) -> Bool {
        ref.remoteName == GitName("refs/heads/\(branch)")
    }
}
