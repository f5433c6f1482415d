import Foundation
import RunModel
import Testing

@testable import Repository

/// Each test commits with real git and asks, while the hook runs, which tree the commit will have.
@Suite struct StagedTreeTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Commits; expects the tree told inside the hook to be that of the commit, and laid out to be exactly this.
    private func commit(
        _ arguments: String..., in folder: String = "work", laysOut files: [String: String]
    ) async throws {
        var told: ObjectID?
        let command = ["commit", "--quiet", "--message", "next"] + arguments
        let output = try await InsideHook.run(.preCommit, command, in: folder, of: sandbox) { hook in
            let before = try sandbox.fingerprint()
            let repository = try await sandbox.repository(folder, hookVariables: hook.variables)
            let staged = try await repository.stagedTree()
            #expect(staged.revision.tree == staged.tree.hexadecimal)
            #expect(staged.revision.commit == nil)
            #expect(!staged.revision.isDirty)
            let shadow = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
            _ = try await shadow.materialize(staged.tree)
            #expect(try sandbox.shadowFiles() == files)
            #expect(try sandbox.fingerprint() == before)
            told = staged.tree
        }
        #expect(output.status == 0, "\(output.message)")
        #expect(try await told == sandbox.object("HEAD^{tree}", in: folder))
        #expect(try await sandbox.git("fsck", "--strict", "--no-dangling", in: folder) == "")
    }

    @Test func `a copy of the index that a killed run left is removed, but not one of today`() async throws {
        try await sandbox.makeRepository()
        try sandbox.write("", to: "work/.git/kanmon/index-copy-1")
        let repository = try await sandbox.repository()
        repository.removeCopiesOfKilledRuns()
        #expect(sandbox.exists("work/.git/kanmon/index-copy-1"))
        repository.removeCopiesOfKilledRuns(afterSeconds: 0)
        #expect(!sandbox.exists("work/.git/kanmon/index-copy-1"))
        #expect(sandbox.exists("work/.git/index"))
    }

    @Test func `commit judges what is staged, not what lies there`() async throws {
        try await sandbox.makeRepository()
        try sandbox.write("staged\n", to: "work/a.txt")
        try await sandbox.git("add", "a.txt")
        try sandbox.write("unstaged\n", to: "work/a.txt")
        try sandbox.write("untracked\n", to: "work/b.txt")
        try await commit(laysOut: ["a.txt": "staged\n"])
        #expect(try sandbox.read("work/a.txt") == "unstaged\n")
    }

    @Test func `commit -a judges all that is changed`() async throws {
        try await sandbox.makeRepository()
        try sandbox.write("changed\n", to: "work/a.txt")
        try sandbox.write("untracked\n", to: "work/b.txt")
        try await commit("-a", laysOut: ["a.txt": "changed\n"])
    }

    @Test func `commit PATH judges the one file, and leaves the other staged`() async throws {
        try await sandbox.makeRepository()
        try sandbox.write("changed\n", to: "work/a.txt")
        try sandbox.write("staged\n", to: "work/b.txt")
        try await sandbox.git("add", "b.txt")
        try await commit("a.txt", laysOut: ["a.txt": "changed\n"])
        #expect(try await sandbox.git("status", "--porcelain") == "A  b.txt")
    }

    @Test func `commit --amend judges the new tree`() async throws {
        try await sandbox.makeRepository()
        try sandbox.write("changed\n", to: "work/a.txt")
        try await commit("-a", "--amend", laysOut: ["a.txt": "changed\n"])
        #expect(try await sandbox.git("rev-list", "--count", "HEAD") == "1")
    }

    @Test func `the first commit is judged`() async throws {
        try sandbox.makeFolder("work")
        try await sandbox.git("init", "--quiet")
        try sandbox.write("one\n", to: "work/a.txt")
        try await sandbox.git("add", "a.txt")
        try await commit(laysOut: ["a.txt": "one\n"])
    }

    @Test func `a merge with conflicts resolved is judged`() async throws {
        try await sandbox.makeRepository()
        try await sandbox.git("checkout", "--quiet", "-b", "side")
        try sandbox.write("side\n", to: "work/a.txt")
        try await sandbox.commit("side", "-a")
        try await sandbox.git("checkout", "--quiet", "main")
        try sandbox.write("main\n", to: "work/a.txt")
        try await sandbox.commit("main", "-a")
        #expect(try await sandbox.run(["merge", "--quiet", "side"]).status == 1)
        let repository = try await sandbox.repository()
        await #expect(throws: GitError.self) { _ = try await repository.stagedTree() }
        try sandbox.write("both\n", to: "work/a.txt")
        try await sandbox.git("add", "a.txt")
        try await commit(laysOut: ["a.txt": "both\n"])
        #expect(try await sandbox.git("rev-list", "--count", "--parents", "-1", "HEAD") == "1")
    }

    @Test(arguments: [["-a"], ["a.txt"]])
    func `a linked work tree is judged by its own index`(arguments: [String]) async throws {
        try await sandbox.makeRepository()
        try await sandbox.git("worktree", "add", "--quiet", sandbox.path("linked"))
        try sandbox.write("changed\n", to: "linked/a.txt")
        try await commit(arguments[0], in: "linked", laysOut: ["a.txt": "changed\n"])
        #expect(try await sandbox.git("status", "--porcelain") == "")
    }

    @Test func `a split index is read whole`() async throws {
        try await sandbox.makeRepository()
        try await sandbox.git("update-index", "--split-index")
        try sandbox.write("b\n", to: "work/b.txt")
        try await sandbox.git("add", "b.txt")
        try await commit(laysOut: ["a.txt": "one\n", "b.txt": "b\n"])
    }

    @Test func `nothing of ours is left in the git directory but our own folder, empty`() async throws {
        let repository = try await sandbox.makeRepository()
        let files = FileManager.default
        let before = try Set(files.subpathsOfDirectory(atPath: sandbox.path("work/.git")))
        _ = try await repository.stagedTree()
        #expect(try Set(files.subpathsOfDirectory(atPath: sandbox.path("work/.git"))) == before.union(["kanmon"]))
    }
}
