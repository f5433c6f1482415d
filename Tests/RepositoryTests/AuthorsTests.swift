import RunModel
import Testing

@testable import Repository

/// Who changed a line last, asked of real repositories.
@Suite struct AuthorsTests {
    private let sandbox: Sandbox

    init() async throws {
        sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await commit("one\ntwo\nthree\n", by: "Ana \u{1F1EF}\u{1F1F5}")
        try await commit("one\ntwo!\nthree\n", by: "Bo")
    }

    private func commit(_ text: String, by author: String, _ name: String = "Tests/A b.swift") async throws {
        try sandbox.write(text, to: "work/\(name)")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("change", "--author", "\(author) <a@example.org>")
    }

    @Test func `each line has the author of the commit that changed it last`() async throws {
        let repository = try await sandbox.repository()
        let head = try await sandbox.object("HEAD")
        #expect(
            try await repository.authors(of: [1, 2], in: "Tests/A b.swift", of: .commit(head))
                == [1: "Ana \u{1F1EF}\u{1F1F5}", 2: "Bo"])
        let before = try await sandbox.object("HEAD^")
        #expect(
            try await repository.authors(of: [2], in: "Tests/A b.swift", of: .commit(before))
                == [2: "Ana \u{1F1EF}\u{1F1F5}"])
        #expect(try await repository.authors(of: [], in: "gone.swift", of: .commit(head)) == [:])
    }

    @Test func `a line that nobody committed has no author, whatever else moved`() async throws {
        let repository = try await sandbox.repository()
        try sandbox.write("new\none\ntwo!\nthree\n", to: "work/Tests/A b.swift")
        #expect(
            try await repository.authors(of: [1, 2, 3], in: "Tests/A b.swift", of: .folder(sandbox.path("work")))
                == [2: "Ana \u{1F1EF}\u{1F1F5}", 3: "Bo"])
    }

    @Test func `a file or a line that is not there is an error`() async throws {
        let repository = try await sandbox.repository()
        let head = try await sandbox.object("HEAD")
        await #expect(throws: GitError.self) {
            try await repository.authors(of: [9], in: "Tests/A b.swift", of: .commit(head))
        }
        await #expect(throws: GitError.self) {
            try await repository.authors(of: [1], in: "gone.swift", of: .commit(head))
        }
    }

    @Test func `what was written before a shallow clone begins has no author`() async throws {
        try await sandbox.git("clone", "--quiet", "--depth", "1", "file://\(sandbox.path("work"))", "../shallow")
        let clone = try await sandbox.repository("shallow")
        let head = try await sandbox.object("HEAD", in: "shallow")
        #expect(try await clone.authors(of: [1, 2], in: "Tests/A b.swift", of: .commit(head)) == [:])
    }

    @Test func `no program of an attribute or a setting is run`() async throws {
        try await commit("*.swift diff=evil\n", by: "Bo", ".gitattributes")
        try await sandbox.git("config", "diff.evil.textconv", "touch \(sandbox.path("evil")); cat")
        let repository = try await sandbox.repository()
        let head = try await sandbox.object("HEAD")
        #expect(try await repository.authors(of: [2], in: "Tests/A b.swift", of: .commit(head)) == [2: "Bo"])
        #expect(!sandbox.exists("evil"))
    }

    @Test func `output that is cut anywhere is read as far as it goes`() {
        let commit = String(repeating: "a1", count: 20)
        let output = Array(
            "\(commit) 1 2 1\nauthor Ana\nauthor-mail <a>\nsummary author X\nboundary\nfilename f\n\tauthor Y\n".utf8)
        #expect(
            BlameReader.lines(output)
                == [BlameReader.Line(number: 2, isCommitted: true, author: "Ana", isBoundary: true)])
        for end in output.indices { #expect(BlameReader.lines(Array(output[..<end])).count <= 1) }
    }
}
