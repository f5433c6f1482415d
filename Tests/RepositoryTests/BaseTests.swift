import RunModel
import Testing

@testable import Repository

@Suite struct BaseTests {
    private func commit(_ sandbox: Sandbox, _ message: String, in folder: String = "work") async throws -> ObjectID {
        try await sandbox.commit(message, in: folder)
        return try await sandbox.object("HEAD", in: folder)
    }

    private func base(_ sandbox: Sandbox, isCommit: Bool = true, in folder: String = "work") async throws -> BaseSearch
    {
        let repository = try await sandbox.repository(folder)
        return try await repository.base(on: repository.defaultBranch(), isCommit: isCommit)
    }

    @Test func `a branch is compared with where it left main`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let fork = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        _ = try await commit(sandbox, "mine")
        try await sandbox.git("checkout", "--quiet", "main")
        _ = try await commit(sandbox, "theirs")
        try await sandbox.git("checkout", "--quiet", "topic")
        let expected = BaseCommit(commit: fork.hexadecimal, kind: .mergeBase, name: "main")
        #expect(try await base(sandbox) == .found(expected))
    }

    @Test func `what the remote has goes before the local branch of the same name`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let pushed = try await sandbox.object("HEAD")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        _ = try await commit(sandbox, "mine", in: "clone")
        let expected = BaseCommit(commit: pushed.hexadecimal, kind: .mergeBase, name: "origin/main")
        #expect(try await base(sandbox, in: "clone") == .found(expected))
    }

    @Test func `origin names the default branch, else it is main, else master, of origin first`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        let second = try await commit(sandbox, "second")
        func name() async throws -> String? { try await repository.defaultBranch()?.name }
        try await sandbox.git("branch", "master", first.hexadecimal)
        #expect(try await repository.defaultBranch() == DefaultBranch(name: "main", tip: second))
        try await sandbox.git("update-ref", "refs/remotes/origin/main", first.hexadecimal)
        #expect(try await repository.defaultBranch() == DefaultBranch(name: "origin/main", tip: first))
        try await sandbox.git("update-ref", "refs/remotes/origin/develop", second.hexadecimal)
        try await sandbox.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
        #expect(try await repository.defaultBranch() == DefaultBranch(name: "origin/develop", tip: second))
        // One that leads nowhere, or is no link, says nothing.
        try await sandbox.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
        #expect(try await name() == "origin/main")
        try await sandbox.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
        try await sandbox.git("update-ref", "refs/remotes/origin/HEAD", second.hexadecimal)
        #expect(try await name() == "origin/main")
        for reference in ["refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/heads/main"] {
            try await sandbox.git("update-ref", "-d", reference)
        }
        // A local branch is not the remote's, whatever it is called.
        #expect(try await name() == nil)
        try await sandbox.git("update-ref", "-d", "refs/remotes/origin/develop")
        #expect(try await repository.defaultBranch() == DefaultBranch(name: "master", tip: first))
        try await sandbox.git("update-ref", "-d", "refs/heads/master")
        #expect(try await name() == nil)
    }

    @Test func `the only remote has the default branch, and of several without an origin none has`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        _ = try await commit(sandbox, "second")
        try await sandbox.git("remote", "add", "forks/up", sandbox.path("elsewhere"))
        try await sandbox.git("update-ref", "refs/remotes/forks/up/main", first.hexadecimal)
        #expect(
            try await repository.defaultBranch()
                == DefaultBranch(name: "forks/up/main", tip: first, branch: "main"))
        try await sandbox.git("update-ref", "refs/remotes/other/main", first.hexadecimal)
        #expect(try await repository.defaultBranch() == nil)
        #expect(try await repository.defaultBranch(preferring: "main") == nil)
        try await sandbox.git("update-ref", "refs/remotes/other/trunk", first.hexadecimal)
        #expect(
            try await repository.defaultBranch(preferring: "trunk")
                == DefaultBranch(name: "other/trunk", tip: first, branch: "trunk"))
    }

    @Test func `on the default branch a commit is compared with its parent, and changes with the commit`() async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        let second = try await commit(sandbox, "second")
        #expect(
            try await base(sandbox)
                == .found(BaseCommit(commit: first.hexadecimal, kind: .parent, name: "main")))
        #expect(
            try await base(sandbox, isCommit: false)
                == .found(BaseCommit(commit: second.hexadecimal, kind: .mergeBase, name: "main")))
    }

    @Test func `the branch preferred goes first, and one that is not there is passed over`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        try await sandbox.git("branch", "develop")
        _ = try await commit(sandbox, "second")
        let develop = try await repository.defaultBranch(preferring: "develop")
        #expect(develop == DefaultBranch(name: "develop", tip: first))
        #expect(try await repository.defaultBranch(preferring: "nowhere")?.name == "main")
    }

    @Test func `without a commit, a default branch or an ancestor there is none`() async throws {
        let sandbox = try Sandbox()
        try sandbox.makeFolder("work")
        try await sandbox.git("init", "--quiet")
        #expect(try await base(sandbox) == .none(reason: "there is no commit yet"))
        _ = try await commit(sandbox, "first")
        #expect(try await base(sandbox) == .none(reason: "it is the first commit"))
        try await sandbox.git("branch", "--move", "main", "trunk")
        #expect(try await base(sandbox) == .none(reason: "it is the first commit"))
        _ = try await commit(sandbox, "second")
        #expect(try await base(sandbox) == .undetermined(reason: "no default branch is known"))
    }

    @Test func `a commit without a parent is not the first one where something else is or may be`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.git("branch", "--move", "main", "trunk")
        let undetermined = BaseSearch.undetermined(reason: "no default branch is known")
        try await sandbox.git("checkout", "--quiet", "--orphan", "other")
        _ = try await commit(sandbox, "alone")
        #expect(try await base(sandbox) == undetermined)
        try await sandbox.git("branch", "--quiet", "-D", "trunk")
        #expect(try await base(sandbox) == .none(reason: "it is the first commit"))
        try sandbox.makeFolder("fetched")
        try await sandbox.git("init", "--quiet", in: "fetched")
        try await sandbox.git("fetch", "--quiet", sandbox.path("work"), "other", in: "fetched")
        try await sandbox.git("checkout", "--quiet", "--detach", "FETCH_HEAD", in: "fetched")
        #expect(try await base(sandbox, in: "fetched") == undetermined)
        // What was changed since is compared with something.
        #expect(try await base(sandbox, isCommit: false) == undetermined)
    }

    @Test func `a clone whose history is cut does not know its base`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        _ = try await commit(sandbox, "second")
        try await sandbox.git("clone", "--quiet", "--depth=1", "file://\(sandbox.path("work"))", sandbox.path("clone"))
        #expect(
            try await base(sandbox, in: "clone")
                == .unknown(reason: "the history of this clone ends at the commit that is judged"))
    }

    @Test func `a clone that may lack the default branch does not know its base`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let fork = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "-b", "feature")
        _ = try await commit(sandbox, "mine")
        try await sandbox.git("checkout", "--quiet", "main")
        let unknown = BaseSearch.unknown(
            reason: "no default branch is known in this clone; if it is here, 'base:' in .kanmon.yml names it")

        let origin = "file://\(sandbox.path("work"))"
        try await sandbox.git(
            "clone", "--quiet", "--depth=1", "--branch=feature", origin, sandbox.path("shallow"))
        #expect(try await base(sandbox, in: "shallow") == unknown)

        // With its whole history, but as a pipeline fetches it that asks for the one branch it builds.
        try sandbox.makeFolder("narrow")
        try await sandbox.git("init", "--quiet", in: "narrow")
        try await sandbox.git(
            "fetch", "--quiet", origin, "+refs/heads/feature:refs/remotes/origin/feature", in: "narrow")
        try await sandbox.git("checkout", "--quiet", "--detach", "refs/remotes/origin/feature", in: "narrow")
        #expect(try await base(sandbox, in: "narrow") == unknown)
        #expect(try await base(sandbox, isCommit: false, in: "narrow") == unknown)
        try await sandbox.git("fetch", "--quiet", origin, "+refs/heads/main:refs/remotes/origin/main", in: "narrow")
        let expected = BaseCommit(commit: fork.hexadecimal, kind: .mergeBase, name: "origin/main")
        #expect(try await base(sandbox, in: "narrow") == .found(expected))

        // Nor does one that has every branch, but is not told which of them it is.
        try await sandbox.git("branch", "--move", "main", "trunk")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("untold"))
        try await sandbox.git("remote", "set-head", "origin", "--delete", in: "untold")
        #expect(try await base(sandbox, in: "untold") == unknown)
        let untold = try await sandbox.repository("untold")
        #expect(
            try await untold.defaultBranch(preferring: "trunk") == DefaultBranch(name: "origin/trunk", tip: fork))
    }

    @Test func `a history of its own is compared with the default branch itself`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let main = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "--orphan", "other")
        _ = try await commit(sandbox, "alone")
        let expected = BaseCommit(commit: main.hexadecimal, kind: .unrelated, name: "main")
        #expect(try await base(sandbox) == .found(expected))
    }

    @Test func `a revision that is named is taken where the change left it`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let fork = try await sandbox.object("HEAD")
        try await sandbox.git("branch", "release")
        _ = try await commit(sandbox, "second")
        #expect(
            try await repository.base(named: "release")
                == .found(BaseCommit(commit: fork.hexadecimal, kind: .named, name: "release")))
        await #expect(throws: GitError.self) { try await repository.base(named: "--output=x") }
    }

    @Test func `a push to the default branch is compared with what the other side has`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let old = try await sandbox.object("HEAD")
        _ = try await commit(sandbox, "second")
        let new = try await commit(sandbox, "third")
        func pushed(to name: String) async throws -> BaseSearch {
            let ref = PushedRef(
                localName: GitName("refs/heads/main"), localObject: new, remoteName: GitName(name), remoteObject: old)
            let commit = try #require(try await repository.pushedTrees([ref]).commits.first)
            return try await repository.base(of: commit, on: repository.defaultBranch())
        }
        #expect(
            try await pushed(to: "refs/heads/main")
                == .found(BaseCommit(commit: old.hexadecimal, kind: .pushed, name: "main")))
        #expect(try await pushed(to: "refs/heads/topic") != pushed(to: "refs/heads/main"))
    }

    @Test func `a history that is pushed to a server without a branch has no base, and later ones have`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        let second = try await commit(sandbox, "second")
        try sandbox.makeFolder("server.git")
        try await sandbox.git("init", "--quiet", "--bare", in: "server.git")
        // As in `pre-receive`: the objects are here, the refs are not.
        try await sandbox.git("fetch", "--quiet", sandbox.path("work"), "main", in: "server.git")
        func base(of commit: ObjectID) async throws -> BaseSearch {
            let server = try await sandbox.repository("server.git")
            let nothing = try #require(ObjectID(String(repeating: "0", count: 40)))
            let ref = PushedRef(
                localName: GitName("refs/heads/trunk"), localObject: commit, remoteName: GitName("refs/heads/trunk"),
                remoteObject: nothing)
            let pushed = try #require(try await server.pushedTrees([ref]).commits.first)
            return try await server.base(of: pushed, on: server.defaultBranch())
        }
        #expect(try await base(of: second) == .none(reason: "the repository it is pushed to has no branch yet"))
        try await sandbox.git("update-ref", "refs/heads/other", first.hexadecimal, in: "server.git")
        #expect(try await base(of: second) == .undetermined(reason: "no default branch is known"))
    }
}
