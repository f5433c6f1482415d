import Foundation
import RunModel
import Testing

@testable import Repository

/// Each test changes files in a real repository and asks git what changed.
@Suite struct ChangesTests {
    let sandbox: Sandbox

    init() async throws {
        sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write(Self.numbered(1...6), to: "work/Sources/A.swift")
        try await commitAll("sources")
    }

    private static func numbered(_ lines: ClosedRange<Int>) -> String {
        lines.map { "let number\($0) = \($0)\n" }.joined()
    }

    private func commitAll(_ message: String) async throws {
        try await sandbox.git("add", "--all")
        try await sandbox.commit(message)
    }

    /// The changes from `base` to the last commit, which must be the same that the working copy shows.
    private func changes(since base: String = "HEAD", package: String = "") async throws -> [FileChange] {
        let repository = try await sandbox.repository()
        let base = try await sandbox.object(base)
        let before = try sandbox.fingerprint()
        let uncommitted = try await repository.changes(from: base, to: .workingCopy, package: package)
        #expect(try sandbox.fingerprint() == before)
        try await commitAll("changed")
        let tree = try await sandbox.object("HEAD^{tree}")
        #expect(try await repository.changes(from: base, to: .tree(tree), package: package) == uncommitted)
        return uncommitted
    }

    @Test func `changed, added and removed lines are distinguished`() async throws {
        try sandbox.write(
            "let zero = 0\nlet number1 = 1\nlet changed = 2\nlet number3 = 3\nlet number6 = 6\n",
            to: "work/Sources/A.swift")
        #expect(
            try await changes() == [
                FileChange(
                    path: "Sources/A.swift", basePath: "Sources/A.swift",
                    changes: [
                        ChangedLines(base: 1..<1, head: 1..<2), ChangedLines(base: 2..<3, head: 3..<4),
                        ChangedLines(base: 4..<6, head: 5..<5),
                    ])
            ])
    }

    @Test func `a file behind links is changed wherever a link shows it`() async throws {
        for (path, text) in [("shared/Deep/B.swift", 1...3), ("shared/C.swift", 4...6)] {
            try sandbox.write(Self.numbered(text), to: "work/\(path)")
        }
        // A folder, a file, a link to a link, one that leads out of the repository and one to the folder it lies in.
        for (link, target) in [
            ("pkg/Linked", "../shared/Deep"), ("pkg/C.swift", "../shared/./C.swift"), ("pkg/Again", "Linked"),
            ("pkg/out", "../../elsewhere"), ("shared/loop", "../shared"),
        ] {
            try sandbox.link("work/\(link)", to: target)
        }
        try await commitAll("links")
        let before = try await sandbox.object("HEAD")
        let line = ChangedLines(base: 2..<3, head: 2..<3)
        try sandbox.write(Self.numbered(1...1) + "changed\n" + Self.numbered(3...3), to: "work/shared/Deep/B.swift")
        try sandbox.write(Self.numbered(4...4) + "changed\n" + Self.numbered(6...6), to: "work/shared/C.swift")
        #expect(
            try await changes(package: "pkg")
                == ["Again/B.swift", "C.swift", "Linked/B.swift"].map {
                    FileChange(path: $0, basePath: $0, changes: [line])
                })
        let paths = try await sandbox.repository().changedPaths(
            from: before, to: try await sandbox.object("HEAD^{tree}"))
        #expect(paths.prefix(2).map(\.text) == ["shared/C.swift", "shared/Deep/B.swift"])
        #expect(
            Set(paths.dropFirst(2).map(\.text)).isSuperset(of: [
                "pkg/Again/B.swift", "pkg/C.swift", "pkg/Linked/B.swift",
            ]))
    }

    @Test func `sources that are hidden behind a link are still those that were there`() async throws {
        try FileManager.default.moveItem(atPath: sandbox.path("work/Sources"), toPath: sandbox.path("work/Hidden"))
        try sandbox.link("work/Sources", to: "Hidden")
        try sandbox.write(Self.numbered(1...6) + "let more = 7\n", to: "work/Hidden/A.swift")
        let change = ChangedLines(base: 7..<7, head: 7..<8)
        let found = try await changes().first { $0.path == "Sources/A.swift" }
        #expect(found == FileChange(path: "Sources/A.swift", basePath: "Sources/A.swift", changes: [change]))
    }

    @Test func `an edit in the last line of a function is not one of the declaration that is added behind it`()
        async throws
    {
        let head = "struct A {\n    func f(n: Int) -> Bool {\n        let m = n\n"
        try sandbox.write(head + "        return m == 0\n    }\n}\n", to: "work/Sources/F.swift")
        try await commitAll("a function")
        let other =
            "\n    static func == (left: A, right: A) -> Bool {\n        let same = true\n        return same\n    }\n"
        // For git both are one.
        try sandbox.write(head + "        return m < 1\n    }\n" + other + "}\n", to: "work/Sources/F.swift")
        let both = try #require(try await changes().first)
        #expect(both.changes == [ChangedLines(base: 4..<5, head: 4..<10)])
        #expect(both.mayEndBlock)
        try sandbox.write(head + "        return m < 2\n    }\n" + other + "}\n", to: "work/Sources/F.swift")
        let edit = try #require(try await changes().first)
        #expect(edit.changes == [ChangedLines(base: 4..<5, head: 4..<5)])
        #expect(!edit.mayEndBlock)
    }

    @Test func `an edit within the second in which the index was written is seen`() async throws {
        // Nothing but the time of the index tells git to look into the file.
        for (key, value) in [("core.trustctime", "false"), ("core.checkStat", "minimal")] {
            try await sandbox.git("config", key, value)
        }
        let second = Date(timeIntervalSince1970: 1_700_000_000)
        func setTime(_ name: String) throws {
            try FileManager.default.setAttributes([.modificationDate: second], ofItemAtPath: sandbox.path(name))
        }
        try setTime("work/Sources/A.swift")
        try await commitAll("the same, at the second")
        try setTime("work/.git/index")
        try sandbox.write(Self.numbered(1...5) + "let number6 = 7\n", to: "work/Sources/A.swift")
        try setTime("work/Sources/A.swift")
        #expect(try await changes().first?.changes == [ChangedLines(base: 6..<7, head: 6..<7)])
    }

    @Test func `nothing changed is an empty list`() async throws {
        #expect(try await changes() == [])
    }

    @Test func `a new file that git does not know yet is all new, and an ignored one is not there`() async throws {
        try sandbox.write("*.log.swift\n", to: "work/.git/info/exclude")
        try sandbox.write("x\n", to: "work/a.log.swift")
        try sandbox.write("let a = 1\nlet b = 2", to: "work/Sources/新しい B.swift")
        #expect(
            try await changes() == [
                FileChange(
                    path: "Sources/新しい B.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<3)])
            ])
    }

    @Test func `a renamed file is followed, also where git was not told of it`() async throws {
        try FileManager.default.moveItem(
            atPath: sandbox.path("work/Sources/A.swift"), toPath: sandbox.path("work/Sources/B.swift"))
        try sandbox.write(Self.numbered(1...6) + "let last = 7\n", to: "work/Sources/B.swift")
        #expect(
            try await changes() == [
                FileChange(
                    path: "Sources/B.swift", basePath: "Sources/A.swift",
                    changes: [ChangedLines(base: 7..<7, head: 7..<8)])
            ])
    }

    @Test func `a file that is gone has a base only`() async throws {
        try FileManager.default.removeItem(atPath: sandbox.path("work/Sources/A.swift"))
        #expect(
            try await changes() == [
                FileChange(path: nil, basePath: "Sources/A.swift", changes: [ChangedLines(base: 1..<7, head: 1..<1)])
            ])
    }

    @Test func `neither attributes nor settings hide what changed`() async throws {
        try sandbox.write("*.swift -diff binary\n", to: "work/.git/info/attributes")
        for (key, value) in [
            ("diff.external", "false"), ("diff.noprefix", "true"), ("diff.renames", "false"), ("color.ui", "always"),
            ("diff.algorithm", "patience"), ("diff.context", "9"), ("diff.interHunkContext", "9"),
            ("diff.submodule", "log"), ("diff.relative", "true"), ("core.quotePath", "true"),
        ] { try await sandbox.git("config", key, value) }
        try sandbox.write(Self.numbered(1...3) + "let new = 1\n" + Self.numbered(4...6), to: "work/Sources/A.swift")
        #expect(
            try await changes() == [
                FileChange(
                    path: "Sources/A.swift", basePath: "Sources/A.swift",
                    changes: [ChangedLines(base: 4..<4, head: 4..<5)])
            ])
    }

    @Test func `a package in a subfolder sees its own files only, by their paths in it`() async throws {
        try sandbox.write(Self.numbered(1...6), to: "work/Kit/Sources/Old.swift")
        try await commitAll("kit")
        try sandbox.write("let other = 1\n", to: "work/Sources/A.swift")
        try FileManager.default.moveItem(
            atPath: sandbox.path("work/Kit/Sources/Old.swift"), toPath: sandbox.path("work/Old.swift"))
        try sandbox.write(Self.numbered(20...29), to: "work/Kit/Sources/New.swift")
        #expect(
            try await changes(package: "Kit") == [
                FileChange(
                    path: "Sources/New.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<11)]),
                FileChange(path: nil, basePath: "Sources/Old.swift", changes: []),
            ])
    }

    @Test func `a link that becomes a file is a new file`() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("work/Sources/B.swift"), withDestinationPath: "A.swift")
        try await commitAll("link")
        try FileManager.default.removeItem(atPath: sandbox.path("work/Sources/B.swift"))
        try sandbox.write("let b = 1\n", to: "work/Sources/B.swift")
        #expect(
            try await changes() == [
                FileChange(path: "Sources/B.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<2)])
            ])
    }

    @Test func `a block that moved to another file and was indented is found there, once`() async throws {
        try sandbox.write(Self.numbered(1...2) + Self.numbered(5...6), to: "work/Sources/A.swift")
        let block = "    let number3 = 3\n    let number4 = 4\n"
        try sandbox.write("enum B {\n" + block + "}\n" + block, to: "work/Sources/B.swift")
        #expect(
            try await changes() == [
                FileChange(
                    path: "Sources/A.swift", basePath: "Sources/A.swift",
                    changes: [ChangedLines(base: 3..<5, head: 3..<3)]),
                FileChange(
                    path: "Sources/B.swift", basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<7)],
                    moved: [MovedLines(head: 2..<4, basePath: "Sources/A.swift", baseStart: 3)]),
            ])
    }

    @Test func `a brace that was removed in one line and added in another has not moved`() async throws {
        try sandbox.write("func a() {\n}\nlet x = 1\nlet y = 2\n", to: "work/Sources/C.swift")
        try await commitAll("braces")
        try sandbox.write("let x = 1\n}\nlet y = 2\n", to: "work/Sources/C.swift")
        #expect(try await changes().flatMap(\.moved) == [])
    }
}
