import Testing

@testable import Repository

@Suite struct BranchesTests {
    private let sandbox: Sandbox
    private let repository: GitRepository

    init() async throws {
        sandbox = try Sandbox()
        repository = try await sandbox.makeRepository()
    }

    @Test func `a branch is known without a commit that none of its refs has`() async throws {
        let first = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        try await sandbox.commit("second")
        let second = try await sandbox.object("HEAD")
        #expect(try await repository.isKnown("main", without: second))
        #expect(try await !repository.isKnown("main", without: first))
        #expect(try await !repository.isKnown("topic", without: second))
        #expect(try await !repository.isKnown("other", without: second))
        // What a remote has of it is one of its refs.
        try await sandbox.git("update-ref", "refs/remotes/origin/main", "HEAD")
        #expect(try await !repository.isKnown("main", without: second))
    }

    @Test func `where the history is cut no branch is known without a commit`() async throws {
        try await sandbox.commit("second")
        let address = "file://\(sandbox.path("work"))"
        try await sandbox.git("clone", "--quiet", "--depth", "1", address, sandbox.path("cut"))
        try await sandbox.git("checkout", "--quiet", "--detach", in: "cut")
        try await sandbox.commit("third", in: "cut")
        let third = try await sandbox.object("HEAD", in: "cut")
        #expect(try await !sandbox.repository("cut").isKnown("main", without: third))
    }
}
