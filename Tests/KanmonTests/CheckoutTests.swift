import Foundation
import Gate
import RunModel
import TestRunning
import Testing

@testable import Application

/// Whether the folder of a package is taken for the commit that it was checked out from.
@Suite struct CheckoutTests {
    private let folder: TestFolder

    /// A repository whose package lies in a folder of its own.
    init() async throws {
        folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/kit/Package.swift")
        try folder.write("let one = 1\n", to: "work/kit/Sources/Kit/Kit.swift")
        try folder.write(
            "run: { before: [ \"./make\" ], generated: [ \"Sources/*/Made/**\" ] }\n", to: "work/kit/.kanmon.yml")
        try folder.write(".build\n*.local.swift\nMade/\nreports/\n", to: "work/.gitignore")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "first")
    }

    private func checkout(reports: String? = nil) async throws -> (revision: Revision?, notes: [Note]) {
        let context = try await PackageContext.load("\(folder.work)/kit", process: folder.process)
        let home = Home(folder.home, process: folder.process)
        let found = try await context.checkout(home: home, reports: reports)
        #expect((found.tree != nil) == (found.revision?.isExact == true))
        return (found.revision, found.notes)
    }

    @Test func `a clean checkout is the commit, in spite of files of builds, reports and scripts`() async throws {
        try folder.write("x", to: "work/kit/.build/debug/Kit.o")
        try folder.write("x", to: "work/reports/index.html")
        try folder.write("let made = 1\n", to: "work/kit/Sources/Kit/Made/Made.swift")
        let found = try await checkout(reports: "\(folder.work)/reports")
        #expect(found.revision?.tree == (try await folder.git("rev-parse", "HEAD^{tree}")))
        #expect(found.notes == [])
    }

    @Test func `files that git ignores make it a working copy, which says so`() async throws {
        try folder.write("x", to: "work/reports/index.html")
        for name in ["a", "b", "c"] { try folder.write("x", to: "work/kit/Sources/Kit/\(name).local.swift") }
        let found = try await checkout()
        #expect(found.revision?.isExact == false && found.revision?.isDirty == false)
        #expect(found.revision?.commit == (try await folder.git("rev-parse", "HEAD")))
        let part = "is not part of the tree"
        #expect(
            found.notes == [
                Note(
                    .treeNotExact,
                    detail: "kit/Sources/Kit/a.local.swift \(part), kit/Sources/Kit/b.local.swift \(part), "
                        + "kit/Sources/Kit/c.local.swift \(part), and 1 more")
            ])
    }

    @Test func `versions that SwiftPM did not choose by itself make it a working copy`() async throws {
        try folder.write(".build\n*.local.swift\nMade/\nreports/\nPackage.resolved\n", to: "work/.gitignore")
        try folder.write("// tools\n", to: "work/other/Package.swift")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "ignored")
        // Another package's are not read for this one.
        try folder.write("{}", to: "work/other/Package.resolved")
        #expect(try await checkout().revision?.isExact == true)
        try folder.write("{}", to: "work/kit/Package.resolved")
        let found = try await checkout()
        #expect(found.revision?.isExact == false && found.revision?.isDirty == false)
        #expect(found.notes == [Note(.treeNotExact, detail: "kit/Package.resolved is not part of the tree")])
    }

    @Test func `what git status tells already needs no note`() async throws {
        try folder.write("let one = 2\n", to: "work/kit/Sources/Kit/Kit.swift")
        let found = try await checkout()
        #expect(found.revision?.isExact == false && found.revision?.isDirty == true)
        #expect(found.notes == [])
    }

    @Test func `a work tree elsewhere is not asked`() async throws {
        try await folder.git("clone", "--quiet", folder.work, "\(folder.path)/clean")
        try folder.write("let one = 2\n", to: "work/kit/Sources/Kit/Kit.swift")
        try await folder.git("config", "core.worktree", "\(folder.path)/clean")
        let found = try await checkout()
        #expect(found.revision?.isExact == false)
        #expect(found.notes == [Note(.treeNotExact, detail: "kit/Sources/Kit/Kit.swift is not what the tree has")])
    }

    @Test func `scripts may write what is declared, and what is no part of a target`() async throws {
        let context = try await PackageContext.load("\(folder.work)/kit", process: folder.process)
        let tree = try #require(
            try await context.checkout(home: Home(folder.home, process: folder.process)).tree)
        let target = "\(context.root)/Sources/Kit"
        try folder.write("x", to: "work/kit/Sources/Kit/Made/Made.swift")
        try folder.write("x", to: "work/kit/log.local.swift")
        #expect(await tree.differences([target], false) == [])
        try folder.write("x", to: "work/kit/Sources/Kit/other.local.swift")
        try folder.write("x", to: "work/kit/Package@swift-6.0.swift")
        let part = "is not part of the tree"
        #expect(
            await tree.differences([target], false) == [
                "kit/Package@swift-6.0.swift \(part)", "kit/Sources/Kit/other.local.swift \(part)",
            ])
        #expect(tree.strangers([target, context.root]) == [])
        let strange = ["/etc", "\(folder.work)/.git/x", "\(context.root)/.build/x", folder.home]
        #expect(tree.strangers(strange) == strange.map { "\($0) \(part)" })
    }

    @Test func `a file that scripts are to make, and that lay there before them, is theirs once they write it`()
        async throws
    {
        try folder.write("let made = 1\n", to: "work/kit/Sources/Kit/Made/Made.swift")
        let context = try await PackageContext.load("\(folder.work)/kit", process: folder.process)
        let tree = try #require(
            try await context.checkout(home: Home(folder.home, process: folder.process)).tree)
        let target = "\(context.root)/Sources/Kit"
        #expect(await tree.differences([target], false) == ["kit/Sources/Kit/Made/Made.swift is not part of the tree"])
        try folder.write("let made = 1\n", to: "work/kit/Sources/Kit/Made/Made.swift")
        #expect(await tree.differences([target], false) == [])
    }

    @Test(arguments: [
        ("let tag = Context.gitInformation?.currentTag", "gitInformation"),
        (#"let isThere = Context.environment["GIT_SSH_COMMAND"] != nil"#, "a variable of git"),
        (#"let branch = getenv("GIT_BRANCH")"#, "a variable of git"),
    ])
    func `a manifest that asks for what git knows of the folder is tested as no tree`(
        line: String, what: String
    ) async throws {
        try folder.write("// swift-tools-version: 6.0\n\(line)\n", to: "work/kit/Package.swift")
        try await folder.git("commit", "--quiet", "--all", "--message", "tags")
        let found = try await checkout()
        let manifest = "\(folder.work)/kit/Package.swift"
        #expect(found.revision?.isExact == false)
        #expect(
            found.notes == [
                Note(.treeNotExact, detail: "\(manifest) asks for \(what), which is not part of the tree")
            ])
    }

    @Test func `a manifest with a name like git's variables that looks at none is tested as its tree`() async throws {
        try folder.write(
            "// swift-tools-version: 6.0\nlet setting = SwiftSetting.define(\"GIT_BRANCH\")\n",
            to: "work/kit/Package.swift")
        try await folder.git("commit", "--quiet", "--all", "--message", "a define")
        #expect(try await checkout().revision?.isExact == true)
    }

    @Test func `what was built of a package below this one is no part of the tree, of one beside it nobody asks`()
        async throws
    {
        for place in ["work/kit", "work/other"] { try folder.write("x", to: "\(place)/.build/debug/Kit.o") }
        try folder.write("// swift-tools-version: 6.0\n", to: "work/other/Package.swift")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/kit/Fixtures/One/Package.swift")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "more")
        #expect(try await checkout().revision?.isExact == true)
        try folder.write("x", to: "work/kit/Fixtures/One/.build/debug/One.o")
        let found = try await checkout()
        #expect(found.revision?.isExact == false)
        #expect(found.notes == [Note(.treeNotExact, detail: "kit/Fixtures/One/.build is not part of the tree")])
    }
}
