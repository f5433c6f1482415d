import Foundation
import RunModel
import Testing

@testable import Repository

/// Each test pushes with real git to a bare repository, and asks inside the hook what is to be judged.
@Suite struct PushedTreesTests {
    let sandbox: Sandbox

    init() async throws {
        sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.makeFolder("remote")
        try await sandbox.git("init", "--quiet", "--bare", in: "remote")
        try await sandbox.git("remote", "add", "origin", sandbox.path("remote"))
    }

    /// Pushes and gives what the hook would judge.
    private func push(_ arguments: String..., in folder: String = "work") async throws -> PushedTrees {
        var trees = PushedTrees(commits: [], skipped: [])
        let output = try await InsideHook.run(
            .prePush, ["push", "--quiet", "origin"] + arguments, in: folder, of: sandbox
        ) {
            let repository = try await sandbox.repository(folder, hookVariables: $0.variables)
            trees = try await repository.pushedTrees(try PrePush(standardInput: $0.standardInput).refs)
        }
        #expect(output.status == 0, "\(output.message)")
        return trees
    }

    private func revision(
        _ name: String, branch: String?, subject: String, in folder: String = "work"
    ) async throws -> Revision {
        Revision(
            commit: try await sandbox.object(name, in: folder).hexadecimal,
            tree: try await sandbox.object("\(name)^{tree}", in: folder).hexadecimal,
            branch: branch,
            subject: subject,
            author: "A",
            isDirty: false,
            attempt: .push
        )
    }

    @Test func `the pushed commit is judged, not the working copy`() async throws {
        try await sandbox.git("branch", "topic")
        try sandbox.write("two\n", to: "work/a.txt")
        try await sandbox.commit("second", "-a")
        try sandbox.write("broken\n", to: "work/a.txt")
        let trees = try await push("topic")
        #expect(trees.commits.map(\.revision) == [try await revision("topic", branch: "topic", subject: "first")])
        #expect(trees.commits[0].refs.map(\.isNew) == [true])
    }

    @Test func `several refs of one commit are judged once`() async throws {
        try await sandbox.git("branch", "topic")
        try await sandbox.git("tag", "light")
        try await sandbox.git("-c", "tag.gpgSign=false", "tag", "--annotate", "--message", "m", "heavy")
        try await sandbox.git("checkout", "--quiet", "-b", "other")
        try await sandbox.commit("second")
        let trees = try await push("main", "topic", "other", "light", "heavy")
        #expect(trees.skipped == [])
        let expected = [
            try await revision("main", branch: "main", subject: "first"),
            try await revision("other", branch: "other", subject: "second"),
        ]
        #expect(trees.commits.map(\.revision).sorted { ($0.subject ?? "") < ($1.subject ?? "") } == expected)
        #expect(trees.commits.map(\.refs.count).sorted() == [1, 4])
    }

    @Test func `a deleted ref is nothing to judge`() async throws {
        _ = try await push("main:refs/heads/gone")
        let trees = try await push("--delete", "gone")
        #expect(trees.commits == [])
        #expect(trees.skipped.map(\.description) == ["refs/heads/gone is deleted: nothing to judge"])
    }

    @Test func `a tag of a file or a tree is nothing to judge, and said`() async throws {
        try await sandbox.git("tag", "--annotate", "--message", "m", "file", "HEAD:a.txt")
        try await sandbox.git("tag", "tree", "HEAD^{tree}")
        let trees = try await push("file", "tree")
        #expect(trees.commits == [])
        let expected = [
            "refs/tags/file is a blob, not a commit: nothing to judge",
            "refs/tags/tree is a tree, not a commit: nothing to judge",
        ]
        #expect(trees.skipped.map(\.description).sorted() == expected)
    }

    @Test func `an unnamed commit is judged for the branch it goes to`() async throws {
        try await sandbox.commit("second")
        let trees = try await push("HEAD~1:refs/heads/x")
        #expect(trees.commits.map(\.revision) == [try await revision("HEAD~1", branch: "x", subject: "first")])
    }

    @Test func `a branch that is pushed elsewhere is judged for the one that gets it`() async throws {
        try await sandbox.commit("second")
        let trees = try await push("main:refs/heads/x")
        #expect(trees.commits.map(\.revision) == [try await revision("main", branch: "x", subject: "second")])
        try await sandbox.commit("third")
        let review = try await push("main:refs/for/main")
        #expect(review.commits.map(\.revision) == [try await revision("main", branch: nil, subject: "third")])
    }

    @Test func `a linked work tree pushes its own branch`() async throws {
        try await sandbox.git("worktree", "add", "--quiet", sandbox.path("linked"))
        try await sandbox.commit("in linked", in: "linked")
        let trees = try await push("linked", in: "linked")
        let expected = try await revision("linked", branch: "linked", subject: "in linked", in: "linked")
        #expect(trees.commits.map(\.revision) == [expected])
    }

    @Test func `a missing object is an error`() async throws {
        let repository = try await sandbox.repository()
        let object = String(repeating: "1", count: 40)
        let refs = [try PrePushTests.ref("refs/heads/x", object, "refs/heads/x", PrePushTests.none)]
        await #expect(throws: GitError.self) { _ = try await repository.pushedTrees(refs) }
    }

    @Test func `the pre-commit framework's variables name the ref`() async throws {
        try await sandbox.commit("second")
        var variables = sandbox.variables
        #expect(try await sandbox.repository(hookVariables: variables).refsFromPreCommitFramework() == [])
        let head = try await sandbox.object("HEAD").hexadecimal
        let first = try await sandbox.object("HEAD~1").hexadecimal
        variables["PRE_COMMIT_LOCAL_BRANCH"] = "refs/heads/main"
        variables["PRE_COMMIT_REMOTE_BRANCH"] = "refs/heads/main"
        var refs = try await sandbox.repository(hookVariables: variables).refsFromPreCommitFramework()
        #expect(refs == [try PrePushTests.ref("refs/heads/main", head, "refs/heads/main", PrePushTests.none)])
        variables["PRE_COMMIT_TO_REF"] = "HEAD"
        variables["PRE_COMMIT_FROM_REF"] = first
        refs = try await sandbox.repository(hookVariables: variables).refsFromPreCommitFramework()
        #expect(refs == [try PrePushTests.ref("refs/heads/main", head, "refs/heads/main", first)])
        variables["PRE_COMMIT_TO_REF"] = "--all"
        let hostile = try await sandbox.repository(hookVariables: variables)
        await #expect(throws: GitError.self) { _ = try await hostile.refsFromPreCommitFramework() }
    }

    @Test func `in a quarantine the pushed objects are seen`() async throws {
        try sandbox.writeProgram("exec cat >'\(sandbox.path("told"))'", to: "unused")
        try sandbox.writeProgram(
            """
            env -0 >'\(sandbox.path("variables"))'
            cat >/dev/null
            : >'\(sandbox.path("waiting"))'
            while [ ! -e '\(sandbox.path("go"))' ]; do sleep 0.02; done
            """,
            to: "remote/hooks/pre-receive"
        )
        let tree = try await sandbox.object("HEAD^{tree}")
        async let ended = sandbox.run(["push", "--quiet", "origin", "main"])
        while !sandbox.exists("waiting") { try await Task.sleep(for: .milliseconds(5)) }
        var variables: [String: String] = [:]
        for entry in try sandbox.read("variables").split(separator: "\0") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            variables[parts[0]] = parts[1]
        }
        #expect(variables["GIT_QUARANTINE_PATH"] != nil)
        let repository = try await sandbox.repository("remote", hookVariables: variables)
        let result = await Task {
            let shadow = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
            return try await shadow.materialize(tree)
        }.result
        try sandbox.write("", to: "go")
        #expect(try await ended.status == 0)
        #expect(try result.get().path == sandbox.path("remote/kanmon/tree/remote"))
        #expect(try sandbox.read("remote/kanmon/tree/remote/a.txt") == "one\n")
    }
}
