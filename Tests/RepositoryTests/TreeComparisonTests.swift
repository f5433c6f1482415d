import Foundation
import Glibc
import RunModel
import Testing

@testable import Repository

@Suite struct TreeComparisonTests {
    /// A repository with a package in it, a program, a link and a name that is none for a list of lines.
    private func package() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("// tools\n", to: "work/Package.swift")
        try sandbox.write("let one = 1\n", to: "work/Sources/A/one.swift")
        try sandbox.write("{}\n", to: "work/Tests/ATests/Fixtures/x.json")
        try sandbox.write("odd\n", to: "work/Sources/A/\"a\nb\".txt")
        try sandbox.writeProgram("exit 0\n", to: "work/scripts/run")
        try sandbox.link("work/Sources/B", to: "A")
        try sandbox.write("*.local\nFixtures.local/\nLocal/\n.build/\nPackage.resolved\n", to: "work/.gitignore")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("package")
        return sandbox
    }

    private func differences(
        _ sandbox: Sandbox, in name: String = "work", without excluded: [String] = []
    ) async throws -> [String] {
        let repository = try await sandbox.repository(name)
        return try await TreeComparison(
            of: sandbox.path("work"), with: try await sandbox.object("HEAD^{tree}"), in: repository,
            without: excluded.map(sandbox.path)
        ).differences().map(\.description)
    }

    @Test func `a clean checkout is the tree, in spite of files of a build`() async throws {
        let sandbox = try await package()
        try sandbox.write("object", to: "work/.build/debug/A.o")
        try sandbox.write("<html>", to: "work/reports/index.html")
        #expect(try await differences(sandbox, without: ["work/reports"]) == [])
        #expect(try await differences(sandbox) == ["reports/index.html is not part of the tree"])
    }

    @Test(arguments: [
        "Sources/A/two.local", "Tests/ATests/Fixtures/y.local", "Local/Package.swift", "Sources/A/.build/two.swift",
        "Package.resolved", ".local",
    ])
    func `a file that git ignores is no part of the tree`(name: String) async throws {
        let sandbox = try await package()
        try sandbox.write("x", to: "work/\(name)")
        #expect(try await sandbox.repository().revision().isDirty == false)
        #expect(try await differences(sandbox) == ["\(name) is not part of the tree"])
    }

    @Test func `a repository in a folder is no part of the tree, one of a submodule is`() async throws {
        let sandbox = try await package()
        #expect(try await differences(sandbox) == [])
        try sandbox.write("ref: refs/heads/main\n", to: "work/Tests/ATests/Fixtures/.git/HEAD")
        #expect(try await differences(sandbox) == ["Tests/ATests/Fixtures/.git is not part of the tree"])
    }

    @Test func `versions that the tree pins are part of it`() async throws {
        let sandbox = try await package()
        try sandbox.write("{}\n", to: "work/Package.resolved")
        try await sandbox.git("add", "--force", "Package.resolved")
        try await sandbox.commit("pins")
        try sandbox.write("{ }", to: "work/Package.resolved")
        #expect(try await differences(sandbox) == ["Package.resolved is not what the tree has"])
    }

    @Test func `a file that only this clone ignores is no part of the tree`() async throws {
        let sandbox = try await package()
        try sandbox.write("two.swift\n", to: "work/.git/info/exclude")
        try sandbox.write("let two = 2\n", to: "work/Sources/A/two.swift")
        try sandbox.makeFolder("work/Sources/Empty")
        #expect(
            try await differences(sandbox) == [
                "Sources/A/two.swift is not part of the tree", "Sources/Empty is not part of the tree",
            ])
    }

    @Test func `an edit that git is kept from seeing is seen`() async throws {
        let sandbox = try await package()
        let file = sandbox.path("work/Sources/A/one.swift")
        let old = Date(timeIntervalSince1970: 1_600_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
        try await sandbox.git("config", "core.checkStat", "minimal")
        try await sandbox.git("config", "core.trustctime", "false")
        try await sandbox.git("update-index", "--refresh")
        try Data("let one = 2\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
        #expect(try await sandbox.repository().revision().isDirty == false)
        #expect(try await differences(sandbox) == ["Sources/A/one.swift is not what the tree has"])
    }

    @Test func `an edit that a clean filter takes back is seen`() async throws {
        let sandbox = try await package()
        try await sandbox.git("config", "filter.hide.clean", "sed s/2/1/")
        try sandbox.write("*.swift filter=hide\n", to: "work/.git/info/attributes")
        try sandbox.write("let one = 2\n", to: "work/Sources/A/one.swift")
        try await sandbox.git("add", "--all")
        #expect(try await sandbox.repository().revision().isDirty == false)
        #expect(try await differences(sandbox) == ["Sources/A/one.swift is not what the tree has"])
    }

    @Test func `what lies around the package is compared, not what the configuration calls the work tree`() async throws
    {
        let sandbox = try await package()
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clean"))
        try sandbox.write("let one = 3\n", to: "work/Sources/A/one.swift")
        try await sandbox.git("config", "core.worktree", sandbox.path("clean"))
        #expect(GitRepository.top(around: sandbox.path("work/Sources/A")) == sandbox.path("work"))
        let tree = try await sandbox.object("HEAD^{tree}", in: "clean")
        let comparison = TreeComparison(
            of: sandbox.path("work"), with: tree, in: try await sandbox.repository("work"))
        #expect(
            try await comparison.differences().map(\.description) == ["Sources/A/one.swift is not what the tree has"])
    }

    @Test func `line ends as a checkout writes them are the tree's`() async throws {
        let sandbox = try await package()
        try sandbox.write("*.txt eol=crlf\n", to: "work/.gitattributes")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("rules")
        try await sandbox.git("rm", "--quiet", "--cached", "-r", ".")
        try await sandbox.git("reset", "--quiet", "--hard")
        #expect(try sandbox.read("work/a.txt") == "one\r\n")
        #expect(try await differences(sandbox) == [])
    }

    @Test func `kinds, executable bits and missing files count`() async throws {
        let sandbox = try await package()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: sandbox.path("work/scripts/run"))
        try FileManager.default.removeItem(atPath: sandbox.path("work/Sources/B"))
        try sandbox.write("A", to: "work/Sources/B")
        try FileManager.default.removeItem(atPath: sandbox.path("work/a.txt"))
        #expect(
            try await differences(sandbox) == [
                "Sources/B is not what the tree has", "a.txt is missing", "scripts/run is not what the tree has",
            ])
    }

    @Test(arguments: ["/etc/hostname", "../outside", ".git/description", ".build/generated"])
    func `a link to what is no part of the tree is a difference, here and in the shadow tree`(text: String) async throws
    {
        let sandbox = try await package()
        try sandbox.write("x\n", to: "outside/file.swift")
        try sandbox.write("x\n", to: "work/.build/generated/file.swift")
        try sandbox.link("work/link", to: text)
        try sandbox.link("work/dangling", to: "/nowhere/at/all")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("link")
        #expect(try await differences(sandbox) == ["link leads to something that is not part of the tree"])
        // Beside the shadow tree lies nothing of these names.
        let laid = try await sandbox.materialize()
        #expect(laid.differences.map(\.name.description) == (text.hasPrefix("/") ? ["link"] : []))
    }

    @Test func `a link out of a submodule of the shadow tree is found`() async throws {
        let sandbox = try await package()
        try await sandbox.makeRepository("library")
        try sandbox.link("library/up", to: "../Sources")
        try sandbox.link("library/away", to: "/etc")
        try await sandbox.git("add", "--all", in: "library")
        try await sandbox.commit("links", in: "library")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("library"), "Library")
        try await sandbox.commit("submodule")
        #expect(try await sandbox.materialize().differences.map(\.name.description) == ["Library/away"])
        #expect(try await differences(sandbox) == ["Library/away leads to something that is not part of the tree"])
    }

    @Test func `a submodule has to be at the commit of the tree`() async throws {
        let sandbox = try await package()
        try await sandbox.makeRepository("library")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("library"), "Library")
        try await sandbox.commit("submodule")
        #expect(try await differences(sandbox) == [])
        try sandbox.write("a.txt.local\n", to: "work/.git/modules/Library/info/exclude")
        try sandbox.write("two", to: "work/Library/a.txt.local")
        #expect(try await differences(sandbox) == ["Library/a.txt.local is not part of the tree"])
        try await sandbox.git("submodule", "--quiet", "deinit", "--force", "Library")
        try FileManager.default.removeItem(atPath: sandbox.path("work/.git/modules"))
        #expect(try await differences(sandbox) == ["Library is missing"])
    }

    @Test func `only files that count are reported as additional to the tree`() async throws {
        let sandbox = try await package()
        try sandbox.write("x", to: "work/Sources/A/made.local")
        try sandbox.write("x", to: "work/out.local")
        let comparison = TreeComparison(
            of: sandbox.path("work"), with: try await sandbox.object("HEAD^{tree}"),
            in: try await sandbox.repository())
        let found = try await comparison.differences { $0.description.hasPrefix("Sources/") }
        #expect(found.summary == "Sources/A/made.local is not part of the tree")
    }

    @Test func `what was once the tree is compared again after any change`() async throws {
        let sandbox = try await package()
        let comparison = TreeComparison(
            of: sandbox.path("work"), with: try await sandbox.object("HEAD^{tree}"),
            in: try await sandbox.repository(), remembering: TreeComparison.Memory())
        func differences(_ isCounted: Bool = true) async throws -> [String] {
            try await comparison.differences { _ in isCounted }.map(\.description)
        }
        for _ in 0..<2 { #expect(try await differences() == []) }
        // A file that does not always count.
        try sandbox.write("x", to: "work/Sources/A/two.local")
        for _ in 0..<2 {
            #expect(try await differences(false) == [])
            #expect(try await differences() == ["Sources/A/two.local is not part of the tree"])
        }
        // The same size and time of modification.
        let path = sandbox.path("work/Sources/A/one.swift")
        let old = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as Any
        for (text, expected) in [
            ("let one = 2\n", ["Sources/A/one.swift is not what the tree has"]), ("let one = 1\n", []),
        ] {
            try sandbox.write(text, to: "work/Sources/A/one.swift")
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            for _ in 0..<2 { #expect(try await differences(false) == expected) }
        }
    }
}
