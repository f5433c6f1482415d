import Gate
package import Repository
import RunModel
import SettingsFile
import Storage

extension BaselineFinder {
    /// Finds the commits that the head is compared with.
    func search(_ head: Head, named revision: String?, own: String?) async throws -> BaseSearch {
        if let revision { return try await repository.base(named: revision, of: head.commit) }
        let branch = try await defaultBranch(own: own)
        let states = states(of: branch)
        // By which branches a clone has, too, so that others find the same base who do not know how a run was recorded.
        let isNext: Bool? =
            if let branch, recorded.map({ Name($0) == Name(branch.branch) }) == true { true } else { nil }
        switch head {
        case .pushed(let pushed): return try await repository.base(of: pushed, on: branch, knowing: states)
        case .workingCopy(_, let commit, let isCommit):
            return try await repository.base(
                of: commit, on: branch, isCommit: isCommit, isNext: isNext, knowing: states)
        case .staged: return try await repository.base(on: branch, isCommit: false)
        case .commit(let commit, _):
            return try await repository.base(of: commit, on: branch, isCommit: true, isNext: isNext, knowing: states)
        }
    }

    /// What the store knows of the states of a branch; asked only if the head is one of them.
    private func states(of branch: DefaultBranch?) -> @Sendable () -> BranchStates? {
        { [home, project] in
            guard let branch, home.hasStore else { return BranchStates() }
            do throws(StorageError) {
                let known = try RunStore.reading(home.database).states(ofBranch: branch.branch, project: project)
                return BranchStates(passed: Set(known.filter { $0.value == .passed }.keys), judged: Set(known.keys))
            } catch {
                StandardStreams.tell("kanmon: warning: failed to look up the states of \(branch.name): \(error)")
                return nil
            }
        }
    }

    /// Whether a head is a commit that the default branch has, so that it is judged as a state of it.
    func isOnDefaultBranch(_ head: Head) async throws -> Bool {
        let own = try await PackageFiles(head, repository: repository, subpath: subpath).settings(process)
        guard let branch = try await defaultBranch(own: own?.base.value),
            let commit = if let known = head.commit { known } else { try await repository.commit(at: "HEAD") }
        else { return false }
        return try await repository.mergeBase(branch.tip, commit) == commit
    }

    /// The default branch.
    ///
    /// The `base:` of the default branch's own file counts; that of the run's file, `own`, only if there is no such
    /// branch, so that no commit chooses its own base.
    package func defaultBranch(own: String? = nil) async throws -> DefaultBranch? {
        guard let branch = try await repository.defaultBranch() else {
            return if let own { try await repository.defaultBranch(preferring: own) } else { nil }
        }
        guard let name = try await settings(at: branch.tip)?.base.value else { return branch }
        return try await repository.defaultBranch(preferring: name)
    }
}
