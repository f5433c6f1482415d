import Foundation
import RunModel
import Testing

@testable import Repository

/// The base of commits of the default branch, by what is known of its earlier states; and of histories that git sees only in part.
@Suite struct BranchStatesTests {
    private let sandbox: Sandbox

    init() async throws {
        sandbox = try Sandbox()
        try await sandbox.makeRepository()
    }

    private func commit(_ message: String, in folder: String = "work") async throws -> String {
        try await sandbox.commit(message, in: folder)
        return try await head(in: folder)
    }

    private func head(_ name: String = "HEAD", in folder: String = "work") async throws -> String {
        try await sandbox.object(name, in: folder).hexadecimal
    }

    /// The bases of the commit that is checked out: their kinds and names, sorted, or why there is none.
    private func bases(
        passed: [String] = [], judged: [String] = [], in folder: String = "work"
    ) async throws -> [String] {
        let repository = try await sandbox.repository(folder)
        let states = BranchStates(passed: Set(passed), judged: Set(judged))
        return words(
            of: try await repository.base(on: repository.defaultBranch(), isCommit: true, knowing: { states }))
    }

    /// The same where somebody names a revision.
    private func bases(named revision: String, in folder: String = "work") async throws -> [String] {
        words(of: try await sandbox.repository(folder).base(named: revision))
    }

    private func words(of search: BaseSearch) -> [String] {
        switch search {
        case .found(let base, let others): ([base] + others).map { "\($0.kind.rawValue) \($0.commit)" }.sorted()
        case .none(let reason), .undetermined(let reason), .unknown(let reason): [reason]
        }
    }

    private func merge(_ branch: String, in folder: String = "work") async throws {
        try await sandbox.git("merge", "--quiet", "--no-ff", "--no-edit", branch, in: folder)
    }

    @Test func `a commit that was refused is no base, however many lie on top`() async throws {
        let good = try await head()
        let weak = try await commit("weak")
        #expect(try await bases(passed: [good]) == ["parent \(good)"])
        for message in ["one", "two"] { _ = try await commit(message) }
        let last = try await commit("three")
        #expect(try await bases(passed: [good], judged: [weak]) == ["passed \(good)"])
        _ = try await commit("four")
        #expect(try await bases(passed: [good, last], judged: [weak]) == ["parent \(last)"])
    }

    @Test func `where no state passed it is what was before the first one that was judged`() async throws {
        let good = try await head()
        let weak = try await commit("weak")
        _ = try await commit("one")
        let later = try await commit("two")
        #expect(try await bases() == ["parent \(try await head("HEAD^"))"])
        _ = try await commit("three")
        #expect(try await bases(judged: [weak, later]) == ["passed \(good)"])
        // Before the first commit is nothing.
        #expect(try await bases(judged: [good, weak]) == ["passed \(good)"])
    }

    @Test func `what lies on top of a state of the remote's branch that was refused is not compared with that state`()
        async throws
    {
        let good = try await head()
        let weak = try await commit("weak")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        _ = try await commit("of the local branch", in: "clone")
        let local = try await commit("on top", in: "clone")
        #expect(try await bases(in: "clone") == ["merge-base \(weak)"])
        #expect(try await bases(passed: [good, weak], in: "clone") == ["merge-base \(weak)"])
        #expect(try await bases(passed: [good], judged: [weak], in: "clone") == ["passed \(good)"])
        #expect(try await bases(judged: [weak], in: "clone") == ["passed \(good)"])
        // What passed of the local branch alone is not what the remote's has.
        #expect(try await bases(passed: [good, local], judged: [weak], in: "clone") == ["passed \(good)"])
        // Nor is a commit below its tip.
        try await sandbox.git("checkout", "--quiet", "--detach", "HEAD^", in: "clone")
        #expect(try await bases(passed: [good], judged: [weak], in: "clone") == ["passed \(good)"])
    }

    @Test
    func `a branch that left a state that was refused is compared with that state, unless it is to be the next one`()
        async throws
    {
        let good = try await head()
        let weak = try await commit("weak")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        try await sandbox.git("checkout", "--quiet", "-b", "topic", in: "clone")
        _ = try await commit("mine", in: "clone")
        #expect(try await bases(passed: [good], judged: [weak], in: "clone") == ["merge-base \(weak)"])
        let repository = try await sandbox.repository("clone")
        let states = BranchStates(passed: [good], judged: [weak])
        func found(isNext: Bool) async throws -> [String] {
            words(
                of: try await repository.base(
                    on: repository.defaultBranch(), isCommit: true, isNext: isNext, knowing: { states }))
        }
        #expect(try await found(isNext: true) == ["passed \(good)"])
        #expect(try await found(isNext: false) == ["merge-base \(weak)"])
    }

    @Test func `of a state that the remote's branch left unjudged what lies below it decides`() async throws {
        let good = try await head()
        let weak = try await commit("weak")
        _ = try await commit("not judged")
        let tip = try await head()
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        _ = try await commit("of the local branch", in: "clone")
        #expect(try await bases(passed: [good], judged: [weak], in: "clone") == ["passed \(good)"])
        #expect(try await bases(passed: [good, weak], in: "clone") == ["merge-base \(tip)"])
        let repository = try await sandbox.repository("clone")
        let search = try await repository.base(on: repository.defaultBranch(), isCommit: true, knowing: { nil })
        #expect(search == .unknown(reason: "the store cannot tell which states of origin/main passed"))
    }

    @Test func `a push of the local branch to another one is compared with where it left the remote's`() async throws {
        let good = try await head()
        let weak = try await commit("weak")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        _ = try await commit("of the local branch", in: "clone")
        let repository = try await sandbox.repository("clone")
        let states = BranchStates(passed: [good], judged: [weak])
        for (name, expected) in [("topic", "merge-base \(weak)"), ("main", "passed \(good)")] {
            let ref = PushedRef(
                localName: GitName("refs/heads/main"), localObject: try await sandbox.object("HEAD", in: "clone"),
                remoteName: GitName("refs/heads/\(name)"),
                remoteObject: try #require(ObjectID(String(repeating: "0", count: 40))))
            let pushed = try #require(try await repository.pushedTrees([ref]).commits.first)
            let found = try await repository.base(
                of: pushed, on: repository.defaultBranch(), knowing: { states })
            #expect(words(of: found) == [expected])
        }
    }

    /// The bases of the commit that is checked out where it is pushed onto a state of `main`.
    private func bases(
        ofPushOnto old: String, passed: [String] = [], judged: [String] = [], in folder: String = "work"
    ) async throws -> [String] {
        let repository = try await sandbox.repository(folder)
        let states = BranchStates(passed: Set(passed), judged: Set(judged))
        return words(
            of: try await repository.base(
                of: try await pushed(onto: old, in: repository, folder), on: repository.defaultBranch(),
                knowing: { states }))
    }

    private func pushed(
        onto old: String, in repository: GitRepository, _ folder: String = "work"
    ) async throws -> PushedTrees.Commit {
        let name = GitName("refs/heads/main")
        let ref = PushedRef(
            localName: name, localObject: try await sandbox.object("HEAD", in: folder), remoteName: name,
            remoteObject: try #require(ObjectID(old)))
        return try #require(try await repository.pushedTrees([ref]).commits.first)
    }

    @Test func `a push onto a commit that was refused is not compared with that commit`() async throws {
        let good = try await head()
        let weak = try await commit("weak")
        let empty = try await commit("on top")
        _ = try await commit("pushed")
        // Where nothing is known of the branch it is what the remote has.
        #expect(try await bases(ofPushOnto: weak) == ["pushed \(weak)"])
        #expect(try await bases(ofPushOnto: weak, passed: [weak]) == ["pushed \(weak)"])
        #expect(try await bases(ofPushOnto: weak, passed: [good], judged: [weak]) == ["passed \(good)"])
        #expect(try await bases(ofPushOnto: weak, judged: [weak]) == ["passed \(good)"])
        // However many lie on top that nobody has judged.
        #expect(try await bases(ofPushOnto: empty, passed: [good], judged: [weak]) == ["passed \(good)"])
        #expect(try await bases(ofPushOnto: empty, passed: [good]) == ["pushed \(empty)"])
        #expect(try await bases(ofPushOnto: empty, passed: [good, empty], judged: [weak]) == ["pushed \(empty)"])
        // States of other histories decide nothing.
        let other = String(repeating: "1", count: 40)
        #expect(try await bases(ofPushOnto: empty, judged: [other]) == ["pushed \(empty)"])
    }

    @Test func `a state that did not pass before one that did decides nothing for a push`() async throws {
        let weak = try await commit("weak")
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        _ = try await commit("mine")
        try await sandbox.git("checkout", "--quiet", "main")
        let mended = try await commit("mended")
        try await merge("topic")
        let merged = try await head()
        _ = try await commit("pushed")
        #expect(try await bases(ofPushOnto: merged, passed: [mended], judged: [weak]) == ["pushed \(merged)"])
    }

    @Test
    func `a push does not know its base where the clone is cut, or the store or the remote's commit cannot be read`()
        async throws
    {
        _ = try await commit("weak")
        let old = try await commit("on top")
        _ = try await commit("pushed")
        let origin = "file://\(sandbox.path("work"))"
        try await sandbox.git("clone", "--quiet", "--depth=2", origin, sandbox.path("cut"))
        #expect(
            try await bases(ofPushOnto: old, judged: [head("HEAD~2")], in: "cut")
                == ["the history of this clone is cut where a state of main may be that failed"])
        #expect(try await bases(ofPushOnto: old, passed: [old], in: "cut") == ["pushed \(old)"])

        let repository = try await sandbox.repository()
        func base(onto old: String, knowing states: BranchStates?) async throws -> BaseSearch {
            try await repository.base(
                of: pushed(onto: old, in: repository), on: repository.defaultBranch(), knowing: { states })
        }
        #expect(
            try await base(onto: old, knowing: nil)
                == .unknown(reason: "the store cannot tell which states of main passed"))
        let gone = String(repeating: "1", count: 40)
        #expect(
            try await base(onto: gone, knowing: BranchStates())
                == .unknown(
                    reason: "this clone does not have the commit 111111111111 that main is on the remote; fetch it"))
    }

    @Test func `a store that cannot be read knows no base`() async throws {
        _ = try await commit("second")
        let repository = try await sandbox.repository()
        let search = try await repository.base(on: repository.defaultBranch(), isCommit: true, knowing: { nil })
        #expect(search == .unknown(reason: "the store cannot tell which states of main passed"))
    }

    @Test func `the own commit of a branch that was fast-forwarded is no base`() async throws {
        let old = try await commit("state of main")
        try await sandbox.git("checkout", "--quiet", "-b", "topic", "HEAD^")
        let weak = try await commit("weak")
        try await merge("main")
        try await sandbox.git("branch", "--force", "main", "topic")
        try await sandbox.git("checkout", "--quiet", "main")
        #expect(try await bases(passed: [old]) == ["parent \(old)"])
        // Where nothing is known, both parents count.
        #expect(try await bases() == ["parent \(old)", "parent \(weak)"].sorted())
    }

    @Test func `all merge bases count`() async throws {
        let fork = try await head()
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        let mine = try await commit("mine")
        try await sandbox.git("checkout", "--quiet", "main")
        let theirs = try await commit("theirs")
        try await sandbox.git("checkout", "--quiet", "-b", "copy", "topic")
        try await merge("main")
        try await sandbox.git("checkout", "--quiet", "main")
        try await merge("topic")
        _ = try await commit("main goes on")
        try await sandbox.git("checkout", "--quiet", "copy")
        _ = try await commit("and so does the branch")
        #expect(try await bases() == ["merge-base \(mine)", "merge-base \(theirs)"].sorted())
        #expect(try await bases(named: "main") == ["named \(mine)", "named \(theirs)"].sorted())
        #expect(try await bases(named: mine) == ["named \(mine)"])
        #expect(mine != fork)
    }

    /// A main branch with a side branch merged late, and a topic: a clone of few commits finds the older common commit alone.
    private func cutHistory() async throws -> (old: String, fork: String) {
        let old = try await head()
        try await sandbox.git("branch", "side")
        _ = try await commit("stricter")
        let fork = try await commit("p2")
        try await sandbox.git("branch", "topic")
        for message in ["p3", "p4", "p5"] { _ = try await commit(message) }
        try await sandbox.git("checkout", "--quiet", "side")
        _ = try await commit("s1")
        try await sandbox.git("checkout", "--quiet", "main")
        try await merge("side")
        try await sandbox.git("checkout", "--quiet", "topic")
        _ = try await commit("weaker")
        try await sandbox.git("checkout", "--quiet", "main")
        return (old, fork)
    }

    private func clone(_ name: String, depths: (main: Int, topic: Int)?) async throws {
        try sandbox.makeFolder(name)
        try await sandbox.git("init", "--quiet", in: name)
        let origin = "file://\(sandbox.path("work"))"
        for (branch, depth) in [("main", depths?.main), ("topic", depths?.topic)] {
            try await sandbox.git(
                ["fetch", "--quiet"] + (depth.map { ["--depth", "\($0)"] } ?? [])
                    + [origin, "\(branch):refs/remotes/origin/\(branch)"], in: name)
        }
        try await sandbox.git("checkout", "--quiet", "-b", "topic", "refs/remotes/origin/topic", in: name)
    }

    @Test func `a clone that is cut does not take an older base for the nearest`() async throws {
        let (_, fork) = try await cutHistory()
        try await clone("whole", depths: nil)
        #expect(try await bases(in: "whole") == ["merge-base \(fork)"])
        try await clone("cut", depths: (3, 4))
        #expect(
            try await bases(in: "cut")
                == ["the history of this clone is cut where a nearer commit of origin/main may be"])
        #expect(try await bases(named: "origin/main", in: "whole") == ["named \(fork)"])
        // Whoever names it knows no more than the clone.
        #expect(try await bases(named: "origin/main", in: "cut") == bases(in: "cut"))
        try await clone("shallow", depths: (1, 1))
        #expect(
            try await bases(named: "origin/main", in: "shallow")
                == ["the history of this clone ends before origin/main"])
    }

    @Test func `a clone that is cut behind its base knows it`() async throws {
        _ = try await commit("second")
        let fork = try await commit("third")
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        _ = try await commit("mine")
        try await sandbox.git("checkout", "--quiet", "main")
        _ = try await commit("theirs")
        try await clone("cut", depths: (2, 2))
        #expect(try await bases(in: "cut") == ["merge-base \(fork)"])
    }

    @Test func `a clone that is cut before a state that may have passed does not know its base`() async throws {
        let good = try await commit("good")
        let weak = try await commit("weak")
        _ = try await commit("on top")
        let origin = "file://\(sandbox.path("work"))"
        try await sandbox.git("clone", "--quiet", "--depth=2", origin, sandbox.path("cut"))
        let unknown = "the history of this clone is cut where a state of origin/main may be that passed"
        #expect(try await bases(passed: [good], judged: [weak], in: "cut") == [unknown])
        #expect(try await bases(passed: [weak], in: "cut") == ["parent \(weak)"])
        #expect(try await bases(in: "cut") == ["parent \(weak)"])
    }

    @Test func `a history has the parents that this clone does not`() async throws {
        let first = try await head()
        let second = try await commit("second")
        let third = try await commit("third")
        try await sandbox.git(
            "clone", "--quiet", "--depth=1", "file://\(sandbox.path("work"))", sandbox.path("cut"))
        let whole = try await sandbox.repository()
        #expect(
            try await whole.history(of: sandbox.object("HEAD")) == [
                CommitParents(commit: third, parents: [second]), CommitParents(commit: second, parents: [first]),
                CommitParents(commit: first, parents: []),
            ])
        let cut = try await sandbox.repository("cut")
        #expect(
            try await cut.history(of: sandbox.object("HEAD")) == [CommitParents(commit: third, parents: [second])])
    }

    @Test func `grafts and replaced objects change no base`() async throws {
        let second = try await commit("second")
        let third = try await commit("third")
        let first = try await head("HEAD~2")
        try sandbox.write("\(third) \(first)\n", to: "work/.git/info/grafts")
        #expect(try await bases() == ["parent \(second)"])
        try FileManager.default.removeItem(atPath: sandbox.path("work/.git/info/grafts"))
        try await sandbox.git("replace", "--graft", third, first)
        #expect(try await bases() == ["parent \(second)"])
    }

    @Test func `a push to a symbolic ref is one to the ref behind it`() async throws {
        try await sandbox.git("clone", "--quiet", "--bare", sandbox.path("work"), sandbox.path("server.git"))
        try await sandbox.git("symbolic-ref", "refs/heads/alias", "refs/heads/main", in: "server.git")
        try await sandbox.git("symbolic-ref", "refs/heads/second", "refs/heads/alias", in: "server.git")
        try await sandbox.git("worktree", "add", "--quiet", "--detach", sandbox.path("tree"), in: "server.git")
        try await sandbox.git("symbolic-ref", "refs/worktree/own", "refs/heads/main", in: "tree")
        let object = try await sandbox.object("HEAD")
        func target(_ name: String, in folder: String = "server.git") async throws -> String? {
            let ref = PushedRef(
                localName: GitName(name), localObject: object, remoteName: GitName(name), remoteObject: object)
            return try await sandbox.repository(folder).resolvingSymbolicRefs([ref]).first?.remoteName.text
        }
        for name in ["refs/heads/alias", "refs/heads/second", "refs/heads/main"] {
            #expect(try await target(name) == "refs/heads/main")
        }
        #expect(try await target("refs/heads/new") == "refs/heads/new")
        #expect(try await target("refs/worktree/own", in: "tree") == "refs/heads/main")
        // A work tree has a HEAD of its own; the branch that a server serves is that of the repository.
        let tree = try await sandbox.repository("tree")
        #expect(try await tree.servedBranchName() == "main")
    }

    @Test func `the beginning of several commits is a question`() async throws {
        var names: [String: String] = [:]
        var start = ""
        // 4 of 40 digits: with some hundred commits two of them begin alike.
        let tree = try await head("HEAD^{tree}")
        for number in 0..<2000 where start.isEmpty {
            let made = try await sandbox.git("commit-tree", tree, "-m", "\(number)")
            let prefix = String(made.prefix(4))
            if names[prefix] != nil { start = prefix }
            names[prefix] = made
        }
        let repository = try await sandbox.repository()
        let error = await #expect(throws: GitError.self) { try await repository.commit(at: start) }
        guard case .ambiguous(start, let commits)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(commits.count == 2 && commits.allSatisfy { $0.hasPrefix(start) })
        #expect(try await repository.commit(at: "0000") == nil)
    }
}
