import Testing

@testable import Repository

/// A push of which the hook is told nothing: it may be up to date, or another hook has read the list.
@Suite struct UnnamedPushTests {
    let sandbox: Sandbox
    let repository: GitRepository

    init() async throws {
        sandbox = try Sandbox()
        repository = try await sandbox.makeRepository()
    }

    private func ref(_ name: String, old: ObjectID? = nil) async throws -> PushedRef {
        let head = try await sandbox.object("HEAD")
        return PushedRef(
            localName: GitName(name), localObject: head, remoteName: GitName(name), remoteObject: old ?? head.zero)
    }

    @Test func `what is checked out is taken for pushed unless the remote has it`() async throws {
        let first = try await sandbox.object("HEAD")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [try await ref("refs/heads/main")])
        try await sandbox.git("update-ref", "refs/remotes/origin/main", "HEAD")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [])
        try await sandbox.commit("second")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [try await ref("refs/heads/main", old: first)])
        // A branch of another name that has it will do.
        try await sandbox.git("update-ref", "refs/remotes/origin/deep/other", "HEAD")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [])
    }

    @Test func `another remote says nothing, and neither does a remote that is an address`() async throws {
        try await sandbox.git("update-ref", "refs/remotes/origin-2/main", "HEAD")
        #expect(try await repository.refsOfUnnamedPush(to: nil) == [])
        #expect(try await repository.refsOfUnnamedPush(to: "origin-2") == [])
        let expected = try await ref("refs/heads/main")
        for remote in ["origin", "*", "https://example.org/a.git", sandbox.path("work"), "[o]rigin-2"] {
            #expect(try await repository.refsOfUnnamedPush(to: remote) == [expected], "\(remote)")
        }
    }

    @Test func `without a branch the commit has its own name, and without a commit there is nothing`() async throws {
        try await sandbox.git("checkout", "--quiet", "--detach")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [try await ref("HEAD")])
        try await sandbox.git("checkout", "--quiet", "--orphan", "empty")
        #expect(try await repository.refsOfUnnamedPush(to: "origin") == [])
    }
}
