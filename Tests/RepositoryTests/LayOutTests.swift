import RunModel
import Testing

@testable import Repository

/// Trees that are laid out where nobody's checkout lies.
@Suite struct LayOutTests {
    private let sandbox: Sandbox

    init() async throws {
        sandbox = try Sandbox()
        try await sandbox.makeRepository()
    }

    private func layOut() async throws -> [MaterializedTree.Remark] {
        try sandbox.makeFolder("there/tree")
        return try await sandbox.repository().layOut(
            try await sandbox.object("HEAD"), in: sandbox.path("there/tree"), index: sandbox.path("there/index"))
    }

    @Test func `a tree lies there with its links and submodules, and nothing of the user is touched`() async throws {
        try await sandbox.makeRepository("dependency")
        try sandbox.link("work/link", to: "a.txt")
        try sandbox.link("work/folder", to: "Dep")
        try await sandbox.git("add", "--all")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("dependency"), "Dep")
        try await sandbox.commit("second")
        let before = try sandbox.fingerprint()
        #expect(try await layOut() == [])
        #expect(try sandbox.read("there/tree/link") == "one\n")
        #expect(try sandbox.read("there/tree/folder/a.txt") == "one\n")
        #expect(try sandbox.fingerprint() == before)
    }

    @Test func `what is not as in a checkout at another place is remarked, and all of it is counted`() async throws {
        try sandbox.link("work/Kit/up", to: "../../elsewhere")
        try sandbox.link("work/Kit/inside", to: "../a.txt")
        try sandbox.link("work/Kit/nothing", to: "../none")
        try sandbox.link("work/same", to: "/dev/null")
        try await sandbox.git("add", "--all")
        let nowhere = String(repeating: "1", count: 40)
        try await sandbox.git("update-index", "--add", "--cacheinfo", "160000,\(nowhere),Dep")
        try await sandbox.commit("second")
        #expect(
            try await layOut() == [.submoduleNotMaterialized(GitName("Dep")), .linkLeadsOut(GitName("Kit/up"))])
        let extent = try await sandbox.repository().extent(of: try await sandbox.object("HEAD"))
        #expect([extent.files, extent.bytes] == [6, 43])
    }
}
