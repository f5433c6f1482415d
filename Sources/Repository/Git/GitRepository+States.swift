import Foundation
public import RunModel

/// What is known of the commits that were states of a branch.
public struct BranchStates: Sendable, Hashable {
    /// Those that passed, or were waived; full hexadecimal.
    public var passed: Set<String>
    /// Those that were judged, also if they did not pass.
    public var judged: Set<String>

    /// Makes a set from its parts; by default nothing is known.
    public init(passed: Set<String> = [], judged: Set<String> = []) {
        self.passed = passed
        self.judged = judged.union(passed)
    }
}

/// The commits that lead to another, as far as this clone has them.
struct Ancestry {
    /// The parents of every commit.
    let parents: [String: [String]]
    /// The commits where the clone ends, though they have parents.
    let cut: Set<String>

    /// The ancestors of a commit without itself, the nearest first, and whether some of them may be missing.
    ///
    /// - Parameter isEnd: Where not to go on.
    func ancestors(of commit: String, until isEnd: (String) -> Bool = { _ in false }) -> (found: [String], isCut: Bool)
    {
        var found: [String] = []
        var seen: Set<String> = [commit]
        var isCut = false
        var queue = [commit][...]
        while let next = queue.popFirst() {
            if next != commit {
                found.append(next)
                if isEnd(next) { continue }
            }
            guard let before = parents[next], !cut.contains(next) else {
                isCut = true
                continue
            }
            for parent in before where seen.insert(parent).inserted { queue.append(parent) }
        }
        return (found, isCut)
    }

    /// Those of some commits that are no ancestors of others, in their order.
    func independent(_ commits: [String]) -> [String] {
        guard commits.count > 1 else { return commits }
        let all = Set(commits)
        var covered: Set<String> = []
        for commit in commits { covered.formUnion(all.intersection(ancestors(of: commit).found)) }
        return commits.filter { !covered.contains($0) }
    }
}

extension Ancestry {
    /// The base of a commit that a branch has.
    ///
    /// - Parameters:
    ///   - branch: The name for people.
    ///   - states: What is known of the commits that were states of the branch; `nil` if that cannot be found out.
    func base(of commit: String, on branch: String, knowing states: () -> BranchStates?) -> BaseSearch {
        guard !cut.contains(commit), let parents = parents[commit] else {
            return .unknown(reason: "the history of this clone ends at the commit that is judged")
        }
        guard !parents.isEmpty else { return .none(reason: "it is the first commit") }
        guard let states = states() else {
            return .unknown(reason: "the store cannot tell which states of \(branch) passed")
        }
        func found(_ commits: [String]) -> BaseSearch {
            let bases = independent(commits).map { base in
                BaseCommit(commit: base, kind: parents.contains(base) ? .parent : .passed, name: branch)
            }
            return .found(bases[0], others: Array(bases.dropFirst()))
        }
        let (near, isCut) = ancestors(of: commit) { states.passed.contains($0) }
        if isCut, !states.judged.isEmpty {
            return .unknown(reason: "the history of this clone is cut where a state of \(branch) may be that passed")
        }
        let passed = near.filter { states.passed.contains($0) }
        if !passed.isEmpty { return found(passed) }
        let judged = near.filter { states.judged.contains($0) }
        guard !judged.isEmpty else { return found(parents) }
        let first = judged.filter { entry in !ancestors(of: entry).found.contains { states.judged.contains($0) } }
        // The parents of the first judged states, or a state itself if it has no parent.
        return found(first.flatMap { entry in self.parents[entry].flatMap { $0.isEmpty ? nil : $0 } ?? [entry] })
    }

    /// The base of what goes onto a state of a branch, or onto several commits of it.
    ///
    /// It is that state, unless one that did not pass lies in it, and none that passed on top: then it is what it is for the next commit of
    /// the branch.
    ///
    /// - Parameters:
    ///   - olds: What the branch is before, or where what goes onto it left the branch.
    ///   - branch: The name for people.
    ///   - itself: The base where nothing is wrong with those.
    ///   - states: What is known of the commits that were states of the branch; `nil` if that cannot be found out.
    func base(
        onto olds: [String], on branch: String, otherwise itself: BaseSearch, knowing states: () -> BranchStates?
    ) -> BaseSearch {
        guard let states = states() else {
            return .unknown(reason: "the store cannot tell which states of \(branch) passed")
        }
        if states.judged.isEmpty { return itself }
        var isSound = true
        for old in olds where !states.passed.contains(old) {
            if states.judged.contains(old) {
                isSound = false
                continue
            }
            let (near, isCut) = ancestors(of: old) { states.judged.contains($0) }
            if isCut {
                return .unknown(
                    reason: "the history of this clone is cut where a state of \(branch) may be that failed")
            }
            let last = independent(near.filter { states.judged.contains($0) })
            if !last.allSatisfy({ states.passed.contains($0) }) { isSound = false }
        }
        if isSound { return itself }
        // The search for a commit on top of it: as if it had been made.
        let next = ""
        return Ancestry(parents: parents.merging([next: olds]) { own, _ in own }, cut: cut)
            .base(of: next, on: branch) { states }
    }
}

extension GitRepository {
    /// How many commits of a history are looked at; older ones count as cut off.
    private static let mostCommits = 50_000

    /// The base of a commit that the default branch has: the nearest states of that branch before it that passed.
    ///
    /// If no state before it was ever judged, the bases are its parents. If some were judged and none passed, the bases are the parents
    /// of the first of them: a commit that was refused is no base, however many lie on top.
    func baseOnBranch(
        _ branch: DefaultBranch, of head: ObjectID, knowing states: @Sendable () -> BranchStates?
    ) async throws(GitError) -> BaseSearch {
        try await ancestry(of: [head]).base(of: head.hexadecimal, on: branch.name, knowing: states)
    }

    /// The base of what goes onto commits of the default branch.
    ///
    /// - Parameters:
    ///   - branch: The name for people.
    ///   - itself: The base where nothing is wrong with those.
    func base(
        onto olds: [ObjectID], of branch: String, otherwise itself: BaseSearch,
        knowing states: @Sendable () -> BranchStates?
    ) async throws(GitError) -> BaseSearch {
        let known = states()
        let names = olds.map(\.hexadecimal)
        let decides = known.map { !$0.judged.isEmpty && !$0.passed.isSuperset(of: names) } ?? false
        let lineage = if decides { try await ancestry(of: olds) } else { Ancestry(parents: [:], cut: []) }
        return lineage.base(onto: names, on: branch, otherwise: itself) { known }
    }

    /// The commits that lead to some commits.
    private func ancestry(of heads: [ObjectID]) async throws(GitError) -> Ancestry {
        let listed = try await parents(of: heads, limit: Self.mostCommits)
        return Ancestry(
            parents: Dictionary(listed.map { ($0.commit, $0.parents) }) { first, _ in first },
            cut: try await cutCommits())
    }

    /// A commit and the latest before it, the newest first, each with its parents: also with those that this clone does not have.
    public func history(
        of commit: ObjectID, limit: Int = CommitParents.most
    ) async throws(GitError) -> [CommitParents] {
        var history = try await parents(of: [commit], limit: limit)
        guard try await isShallow() else { return history }
        for index in history.indices where history[index].parents.isEmpty {
            guard case .object(let object) = await objects.answer(to: history[index].commit) else { continue }
            history[index].parents = object.parents.prefix(CommitParents.mostParents).map(\.hexadecimal)
        }
        return history
    }

    private func parents(of heads: [ObjectID], limit: Int) async throws(GitError) -> [CommitParents] {
        let names = heads.map { GitArgument($0.hexadecimal) }
        let list = try await run(
            "rev-list", ["--parents", "--max-count=\(limit)", "--end-of-options"] + names + ["--"], scope: .objects
        ).checked("rev-list")
        return try list.bytes.split(separator: UInt8(ascii: "\n")).map { line throws(GitError) in
            let names = line.split(separator: UInt8(ascii: " ")).compactMap { ObjectID(bytes: $0)?.hexadecimal }
            guard let commit = names.first else {
                throw .unexpectedOutput(command: "rev-list", detail: "a line without a commit")
            }
            return CommitParents(
                commit: commit, parents: Array(names.dropFirst().prefix(CommitParents.mostParents)))
        }
    }

    /// Whether the history of this clone ends at one of these commits, so that others may belong to them.
    public func isCut(at commits: [ListedCommit]) async throws(GitError) -> Bool {
        let cut = try await cutCommits()
        return commits.contains { cut.contains($0.commit.hexadecimal) }
    }

    /// The commits at which the history of this clone ends, though they have parents.
    private func cutCommits() async throws(GitError) -> Set<String> {
        guard try await isShallow() else { return [] }
        let list = try await run("rev-parse", ["--path-format=absolute", "--git-path", "shallow"]).checked("rev-parse")
        guard let path = GitName(bytes: list.line).text, let bytes = FileManager.default.contents(atPath: path) else {
            throw .unexpectedOutput(
                command: "rev-parse", detail: "the list of commits where the history is cut is missing")
        }
        return Set(bytes.split(separator: UInt8(ascii: "\n")).compactMap { ObjectID(bytes: $0)?.hexadecimal })
    }

    /// Whether the history of this clone ends where another common ancestor of two commits may be.
    ///
    /// A commit that only one of them has may lead to it. If one of the two is an ancestor of the other, no ancestor is nearer.
    func isCut(between left: ObjectID, and right: ObjectID) async throws(GitError) -> Bool {
        let cut = try await cutCommits()
        guard !cut.isEmpty else { return false }
        let list = try await run(
            "rev-list",
            ["--left-right", "--end-of-options", GitArgument("\(left.hexadecimal)...\(right.hexadecimal)"), "--"],
            scope: .objects
        ).checked("rev-list")
        let lines = list.bytes.split(separator: UInt8(ascii: "\n"))
        let sides = Set(lines.compactMap(\.first))
        guard sides.count == 2 else { return false }
        return lines.contains { line in
            ObjectID(bytes: line.dropFirst()).map { cut.contains($0.hexadecimal) } ?? true
        }
    }
}

extension GitRepository {
    /// The refs of a push with the refs that they really move: a symbolic ref moves what it points at.
    ///
    /// - Throws: `GitError` if git cannot tell.
    public func resolvingSymbolicRefs(_ refs: [PushedRef]) async throws(GitError) -> [PushedRef] {
        var resolved: [PushedRef] = []
        for ref in refs {
            var ref = ref
            // Each step is one link; git itself follows five.
            for _ in 0..<5 {
                let link = try await run(
                    "symbolic-ref", ["--quiet", "--end-of-options", GitArgument(bytes: ref.remoteName.bytes)])
                if link.status == 1 { break }
                ref.remoteName = GitName(bytes: try link.checked("symbolic-ref").line)
            }
            resolved.append(ref)
        }
        return resolved
    }
}
