import Foundation
import Testing

@testable import Repository

@Suite struct LineTests {
    @Test func `a line follows first parents, and says of each commit what a person asks first`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "-b", "topic")
        try await sandbox.commit("on the side", "--date", "2026-01-02T03:04:05Z")
        let side = try await sandbox.object("HEAD")
        try await sandbox.git("checkout", "--quiet", "main")
        try await sandbox.commit("second, with a  space\n\nbody")
        let second = try await sandbox.object("HEAD")
        try await sandbox.git("merge", "--quiet", "--no-ff", "--message", "merge", "topic")
        let merge = try await sandbox.object("HEAD")
        let line = try await repository.line(to: merge, limit: 10)
        #expect(line.map(\.commit) == [merge, second, first])
        #expect(line.map(\.parents) == [[second, side], [first], []])
        #expect(line.map(\.subject) == ["merge", "second, with a  space", "first"])
        #expect(line.map(\.author) == ["A", "A", "A"])
        #expect(Set(line.map(\.tree)) == [try await sandbox.object("HEAD^{tree}")])
        #expect(line.allSatisfy { $0.committedAt > Date(timeIntervalSince1970: 1_600_000_000) })
        #expect(try await repository.line(to: merge, from: first, limit: 10).map(\.commit) == [merge, second])
        #expect(try await repository.line(to: merge, limit: 1).map(\.commit) == [merge])
        // What a merge brought.
        #expect(try await repository.line(to: side, from: second, limit: 10).map(\.commit) == [side])
        #expect(try await repository.line(to: first, from: merge, limit: 10) == [])
    }

    @Test func `a commit that some other program made wrong is one of the line, and a long text is cut`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        let tree = try await sandbox.object("HEAD^{tree}")
        let author = String(repeating: "A", count: 2_000)
        let subject = String(repeating: "s", count: 2_000)
        let text = "tree \(tree)\nparent \(first)\nauthor \(author) <a@b> 1 +0000\ncommitter C <c@d>\n\n\(subject)\n"
        let made = try await sandbox.run(
            ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], input: Array(text.utf8))
        let commit = try #require(ObjectID(made.text))
        let line = try await repository.line(to: commit, limit: 10)
        #expect(line.map(\.commit) == [commit, first])
        #expect(
            line.first
                == LineCommit(
                    commit: commit, tree: tree, parents: [first], committedAt: Date(timeIntervalSince1970: 0),
                    author: String(repeating: "A", count: 1_000), subject: String(repeating: "s", count: 1_000)))
    }

    @Test func `the tree of searches is none of runs and mutants`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let runs = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
        let culprits = try await ShadowTree.open(in: repository, for: .culprits, owner: Sandbox.owner)
        let mutants = try await ShadowTree.open(in: repository, for: .mutants, owner: Sandbox.owner)
        let paths = [runs.path, culprits.path, mutants.path]
        #expect(Set(paths).count == 3)
        #expect(paths[1].hasSuffix("/kanmon/culprits/tree/work"))
        runs.close()
        culprits.close()
        mutants.close()
    }
}
