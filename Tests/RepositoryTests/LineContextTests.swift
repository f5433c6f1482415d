import Foundation
import RunModel
import Testing

@testable import Repository

/// Lines that come in although nobody changed them.
@Suite struct LineContextTests {
    /// The unchanged lines of `head` whose context is another; `changed` are its changed lines and what was there before.
    private func exposed(_ base: String, _ head: String, _ changes: ChangedLines...) -> [Range<Int>] {
        LineContexts.exposed(
            FileChange(path: "a", basePath: "a", changes: changes), base: Array(base.utf8), head: Array(head.utf8))
    }

    private static let code = "f()\ng()\n"

    @Test(arguments: [
        ("#if false\n", "#endif\n"), ("  #if FLAG && os(Linux)\r\n", "#endif // FLAG\n"), ("/*\n", "*/\n"),
        ("let text = \"\"\"\n", "\"\"\"\n"), ("let text = ##\"\"\"\n", "\"\"\"##\n"), ("x() /* why\n", "*/ y()\n"),
        ("#if true\na()\n#else\n", "#endif\n"),
    ])
    func `lines around which something was removed are exposed`(opening: String, closing: String) {
        let lines = opening.utf8.count { $0 == UInt8(ascii: "\n") }
        let found = exposed(
            opening + Self.code + closing, Self.code, ChangedLines(base: 1..<1 + lines, head: 1..<1),
            ChangedLines(base: 3 + lines..<4 + lines, head: 3..<3))
        #expect(found == [1..<3])
        // The other way round they vanish, and count for nothing where they are no code.
        let back = exposed(
            Self.code, opening + Self.code + closing, ChangedLines(base: 1..<1, head: 1..<1 + lines),
            ChangedLines(base: 3..<3, head: 3 + lines..<4 + lines))
        #expect(back == [1 + lines..<3 + lines])
    }

    @Test func `another condition, and the branch of another condition, are another context`() {
        let base = "#if A\nf()\n#else\ng()\n#endif\nh()\n"
        #expect(
            exposed(base, base.replacing("#if A", with: "#if !A"), ChangedLines(base: 1..<2, head: 1..<2))
                == [2..<5])
    }

    @Test(arguments: [
        "let a = \"/*\"\n", "// /* no comment\n", "let a = #\"\"/*\"#\n", "let a = \"\\\"/*\"\n", "/* a /* b */ c */\n",
        "#warning(\"#if\")\n", "let a = \"#if false\"\n", "let a = \"\"\"\n  \\\"\"\" /*\n  \"\"\"\n",
    ])
    func `what only looks like it exposes nothing`(line: String) {
        let lines = line.utf8.count { $0 == UInt8(ascii: "\n") }
        #expect(exposed(line + Self.code, Self.code, ChangedLines(base: 1..<1 + lines, head: 1..<1)) == [])
    }

    @Test func `git tells the exposed lines, links and submodules that lead elsewhere, and what it compared`()
        async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.makeRepository("other")
        try sandbox.write("#if false\nf()\n#endif\n", to: "work/Sources/A.swift")
        try sandbox.write("a()\n", to: "work/One/B.swift")
        try sandbox.write("b()\n", to: "work/Two/B.swift")
        try sandbox.link("work/Sources/Linked", to: "../One")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("other"), "Sources/Sub")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("base")
        let base = try await sandbox.object("HEAD")
        try sandbox.write("f()\n", to: "work/Sources/A.swift")
        try FileManager.default.removeItem(atPath: sandbox.path("work/Sources/Linked"))
        try sandbox.link("work/Sources/Linked", to: "../Two")
        try await sandbox.commit("more", in: "work/Sources/Sub")
        let repository = try await sandbox.repository()
        let changes = try await repository.changes(from: base, to: .workingCopy, package: "Sources")
        let line = ChangedLines(base: 1..<2, head: 1..<2)
        #expect(
            changes == [
                FileChange(
                    path: "A.swift", basePath: "A.swift",
                    changes: [ChangedLines(base: 1..<2, head: 1..<1), ChangedLines(base: 3..<4, head: 2..<2)],
                    exposed: [1..<2], mayEndBlock: true),
                FileChange(path: "Linked", basePath: "Linked", changes: [line], leadsElsewhere: true),
                FileChange(path: "Sub", basePath: "Sub", changes: [line], leadsElsewhere: true),
            ])
        #expect(
            try await repository.sources(of: .workingCopy, package: "Sources") == ["A.swift", "Linked/B.swift", "Sub/"])
        try await sandbox.git("add", "--all")
        try await sandbox.commit("head")
        let tree = try await sandbox.object("HEAD^{tree}")
        #expect(try await repository.changes(from: base, to: .tree(tree), package: "Sources") == changes)
        #expect(
            try await repository.sources(of: .tree(tree), package: "Sources") == ["A.swift", "Linked/B.swift", "Sub/"])
        #expect(try await repository.sources(of: .tree(tree), package: "").contains("Sources/A.swift"))
    }

    @Test(arguments: ["--assume-unchanged", "--skip-worktree"])
    func `what git was told not to look at was not compared`(flag: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        for name in ["A", "B"] { try sandbox.write("f()\n", to: "work/\(name).swift") }
        try await sandbox.git("add", "--all")
        try await sandbox.commit("base")
        try await sandbox.git("update-index", flag, "A.swift")
        try sandbox.write("C.swift\n", to: "work/.git/info/exclude")
        try sandbox.write("f()\n", to: "work/C.swift")
        let repository = try await sandbox.repository()
        #expect(try await repository.sources(of: .workingCopy, package: "") == ["B.swift"])
        #expect(
            try await repository.changes(from: sandbox.object("HEAD"), to: .workingCopy, package: "") == [])
    }
}
