import Foundation
import Gate
import Repository
import RunModel
import TestRunning
import TestSupport
import Testing

@testable import Application

/// Who owns what of a package, asked of a real repository.
@Suite struct OwnersTests {
    private let folder: TestFolder

    init() async throws {
        folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
    }

    @discardableResult
    private func commit(_ subject: String = "change") async throws -> String {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", subject)
        return try await folder.git("rev-parse", "HEAD")
    }

    /// What is found of the package as it lies there.
    private func owners(
        of package: String = "", branch: String? = "main", isDirty: Bool = false
    ) async throws -> CodeOwnersFile? {
        let revision = Revision(
            commit: try await folder.git("rev-parse", "HEAD"),
            tree: isDirty ? nil : try await folder.git("rev-parse", "HEAD^{tree}"),
            branch: branch, subject: "head", isDirty: isDirty)
        let process = folder.process
        let checkpoint = Checkpoint(
            process: process, home: Home(folder.home, process: process))
        let root = package.isEmpty ? folder.work : "\(folder.work)/\(package)"
        let context = try await PackageContext.load(root, process: process)
        return try #require(try await context.baseline(revision, named: nil, checkpoint: checkpoint)).baseline.owners
    }

    @Test func `a change cannot say who owns what it changes`() async throws {
        try folder.write("* @core\n", to: "work/.github/CODEOWNERS")
        let base = try await commit("base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("* @nobody\n", to: "work/.github/CODEOWNERS")
        try folder.write("* @nobody\n", to: "work/.gitlab/CODEOWNERS")
        try folder.write("owners:\n  form: gitlab\n", to: "work/.kanmon.yml")
        try await commit("head")
        let expected = CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: "* @core\n", commit: base)
        #expect(try await owners(branch: "topic") == expected)
        // Nor can files that are not committed.
        try folder.write("* @none\n", to: "work/.github/CODEOWNERS")
        #expect(try await owners(branch: "topic", isDirty: true) == expected)
        try await folder.git("rm", "--quiet", "--force", ".github/CODEOWNERS")
        #expect(try await owners(branch: "topic", isDirty: true) == expected)
    }

    @Test func `whose rules a file follows is told where no settings say it`() async throws {
        let process = folder.process
        let found = try await GitRepository.discover(
            at: folder.work, environment: GitEnvironment(process.environment))
        let finder = BaselineFinder(
            process: process, home: Home(folder.home, process: process), repository: try #require(found),
            subpath: PackageSubpath(), project: "kit", swiftOverride: nil)
        #expect(try await finder.ownersForm(below: folder.work) == "(none, as there is no CODEOWNERS)")
        try folder.write("* @core\n", to: "work/.gitlab/CODEOWNERS")
        #expect(try await finder.ownersForm(below: folder.work) == "gitlab")
        try folder.write("* @core\n", to: "work/.github/CODEOWNERS")
        let several = try await finder.ownersForm(below: folder.work)
        #expect(several.hasPrefix("(unknown: there are files of several forges"), "\(several)")
    }

    @Test func `a change that adds the first file has no owners yet`() async throws {
        try await commit("base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("* @core\n", to: "work/.github/CODEOWNERS")
        try await commit("head")
        #expect(try await owners(branch: "topic") == nil)
    }

    @Test func `without a base the tree itself is read, and that is known`() async throws {
        try folder.write("* @core\n", to: "work/.github/CODEOWNERS")
        try await commit("first")
        let expected = CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: "* @core\n")
        #expect(try await owners() == expected)
        // A link may lead anywhere once it is checked out.
        try folder.write("* @outside\n", to: "outside")
        try FileManager.default.removeItem(atPath: "\(folder.work)/.github/CODEOWNERS")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/.github/CODEOWNERS", withDestinationPath: "\(folder.path)/outside")
        try await folder.git("commit", "--quiet", "--all", "--amend", "--message", "first")
        #expect(try await owners() == nil)
    }

    @Test func `the settings of the base say whose rules a file follows`() async throws {
        try folder.write("* @core\n", to: "work/CODEOWNERS")
        try folder.write("owners:\n  form: gitea\n", to: "work/.kanmon.yml")
        let base = try await commit("base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("owners:\n  form: github\n", to: "work/.kanmon.yml")
        try await commit("head")
        #expect(
            try await owners(branch: "topic")
                == CodeOwnersFile(path: "CODEOWNERS", form: .gitea, text: "* @core\n", commit: base))
    }

    @Test func `a file at a place of every forge follows the rules of the one that the remote is on`() async throws {
        try folder.write("* @core\n", to: "work/CODEOWNERS")
        let base = try await commit("base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("let one = 1\n", to: "work/Sources/Kit/Kit.swift")
        try await commit("head")
        let untold = CodeOwnersFile(
            path: "CODEOWNERS", form: nil, text: "", commit: base,
            fault: "nothing tells its form; 'owners.form' in .kanmon.yml says it")
        #expect(try await owners(branch: "topic") == untold)
        try await folder.git("remote", "add", "origin", "git@gitlab.com:acme/kit.git")
        #expect(
            try await owners(branch: "topic")
                == CodeOwnersFile(path: "CODEOWNERS", form: .gitLab, text: "* @core\n", commit: base))
    }

    @Test func `the file of a package below the top is that of the repository`() async throws {
        try folder.write("/kit/ @kit\n/Sources/ @top\n", to: "work/.github/CODEOWNERS")
        try folder.write("* @inner\n", to: "work/kit/.github/CODEOWNERS")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/kit/Package.swift")
        let base = try await commit("base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("let one = 1\n", to: "work/kit/Sources/Kit/Kit.swift")
        try await commit("head")
        let found = try await owners(of: "kit", branch: "topic")
        #expect(
            found
                == CodeOwnersFile(
                    path: ".github/CODEOWNERS", form: .gitHub, text: "/kit/ @kit\n/Sources/ @top\n", commit: base,
                    folder: "kit"))
        let list = try #require(found.map { CodeOwners($0) })
        #expect(list.owners(of: "Sources/Kit/Kit.swift")?.owners == ["@kit"])
    }

    @Test(arguments: [
        (Data(repeating: 0x0A, count: CodeOwnersFile.mostBytes + 1), "it has more than 1,048,576 bytes"),
        (Data([0x2A, 0x20, 0xFF]), "it is not UTF-8"),
    ])
    func `a file that cannot be read is said, and no error`(content: Data, fault: String) async throws {
        try folder.write("", to: "work/.github/CODEOWNERS")
        try content.write(to: URL(filePath: "\(folder.work)/.github/CODEOWNERS"))
        let base = try await commit("base")
        #expect(
            try await owners()
                == CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: "", fault: fault))
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write("let one = 1\n", to: "work/Sources/Kit/Kit.swift")
        try await commit("head")
        #expect(
            try await owners(branch: "topic")
                == CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: "", commit: base, fault: fault))
    }

    @Test func `whoever changed a line last at which a test of nobody fails is kept with the run`() async throws {
        try folder.write("one\ntwo\nthree\n", to: "work/Tests/CoreTests/CoreTests.swift")
        try folder.write("one\ntwo\nthree\n", to: "work/Sources/Core/Core.swift")
        try await commit("base")
        let process = folder.process
        let repository = try #require(
            try await GitRepository.discover(at: folder.work, environment: GitEnvironment(process.environment)))
        func authors(_ text: String?, exactly commit: String?) async -> [GivenFile] {
            var run = SampleRuns.failing()
            run.tests[0].attempts[0].issues[0].location = SourceLocation(
                path: "Tests/CoreTests/CoreTests.swift", line: 2)
            let revision = Revision(commit: commit, tree: commit, branch: "main", subject: "s", isDirty: commit == nil)
            let file = text.map { CodeOwnersFile(path: "CODEOWNERS", form: .gitHub, text: $0) }
            return await AuthorFinder(
                repository: repository, subpath: PackageSubpath(), root: folder.work, revision: revision, owners: file,
                policy: Policy()
            ).files(of: run)
        }
        let entries = SampleRuns.failing().failures.map { FailureAuthors.Entry(test: $0.id, name: "A") }
        let both = [try KeptJSON.authors.givenFile(FailureAuthors(entries))]
        let crashed = [try KeptJSON.authors.givenFile(FailureAuthors(Array(entries.dropFirst())))]
        let head = try await folder.git("rev-parse", "HEAD")
        #expect(await authors(nil, exactly: head) == both)
        #expect(await authors("/Tests/CoreTests/ @core\n", exactly: head) == [])
        #expect(await authors("/Elsewhere/ @core\n", exactly: head) == both)
        // What is not committed has no author.
        try folder.write("one\ntwo!\nthree\n", to: "work/Tests/CoreTests/CoreTests.swift")
        #expect(await authors(nil, exactly: nil) == crashed)
        #expect(await authors(nil, exactly: head) == both)
    }
}
