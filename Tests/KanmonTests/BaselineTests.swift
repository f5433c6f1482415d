import Foundation
import Gate
import Repository
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

/// What a package is compared with, asked of a real repository.
@Suite struct BaselineTests {
    @Test func `settings of the base that are not UTF-8 are unreadable, not repaired`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        let settings = "version: 1\ncoverage:\n  modules:\n    default: { line: 10 }\n"
        try (Data(settings.utf8) + [0x23, 0x20, 0xFF, 0x0A]).write(to: URL(filePath: "\(folder.work)/.kanmon.yml"))
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write(settings, to: "work/.kanmon.yml")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")

        let finding = try await found(in: folder, branch: "topic")
        #expect(
            finding.notes == [
                Note(
                    .baseUnreadable, subject: ".kanmon.yml",
                    detail: ".kanmon.yml is not UTF-8; the defaults are used instead")
            ])
        #expect(finding.baseline.settings?.policy.defaultFloors == Policy().defaultFloors)
        #expect(finding.baseline.head.policy.defaultFloors.line == Percentage(thousandths: 10_000))
    }

    @Test func `a commit cannot weaken its gate if only its own branch was fetched`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try folder.write("coverage:\n  modules:\n    default: { line: 10 }\n", to: "work/.kanmon.yml")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "head")
        // As a pipeline leaves it that fetches the one branch it builds.
        try await folder.git("update-ref", "refs/remotes/origin/feature", "HEAD")
        try await folder.git("checkout", "--quiet", "--detach")
        try await folder.git("branch", "--quiet", "-D", "main")

        let gaps = try await found(in: folder).baseline.gaps
        #expect(
            gaps == [
                Gap(
                    .baseUnknown,
                    detail: "no default branch is known in this clone; if it is here, 'base:' in .kanmon.yml names it")
            ])
    }

    @Test(arguments: [("shared/gate.yml", true), ("../gate.yml", false)])
    func `settings behind a link of the base apply if the base has them`(target: String, isThere: Bool) async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        try folder.write("coverage: { modules: { default: { line: 95 } } }\n", to: "work/shared/gate.yml")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/.kanmon.yml", withDestinationPath: target)
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try FileManager.default.removeItem(atPath: "\(folder.work)/.kanmon.yml")
        try folder.write("coverage: { modules: { default: { line: 10 } } }\n", to: "work/.kanmon.yml")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "head")

        let finding = try await found(in: folder, branch: "topic")
        let note = Note(
            .baseUnreadable, subject: ".kanmon.yml",
            detail:
                ".kanmon.yml is a symbolic link that leads to no file of the repository; the defaults are used instead")
        #expect(finding.notes == (isThere ? [] : [note]))
        #expect(
            finding.baseline.settings?.policy.defaultFloors.line
                == (isThere ? Percentage(thousandths: 95_000) : Policy().defaultFloors.line))
    }

    /// What the commit that is checked out is compared with.
    @Test(arguments: [(2, 1 << 20), (100, 40)])
    func `nothing passes where the manifest of the base may read more files than are laid out`(
        files: Int, bytes: Int
    ) async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let manifest = "// swift-tools-version: 6.0\nimport Foundation\nlet names = FileManager.default\n"
        try folder.write(manifest, to: "work/Package.swift")
        for number in 1...3 { try folder.write("\(number)\n", to: "work/\(number).txt") }
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", "head")
        let process = folder.process
        let repository = try #require(
            try await GitRepository.discover(at: folder.work, environment: GitEnvironment(process.environment)))
        var finder = BaselineFinder(
            process: process, home: Home(folder.home, process: process), repository: repository,
            subpath: try await repository.packageSubpath(of: process.real(folder.work)), project: "p",
            swiftOverride: nil)
        finder.manifestLimit = (files, bytes)
        let head = try #require(ObjectID(try await folder.git("rev-parse", "HEAD")))
        let tree = try #require(ObjectID(try await folder.git("rev-parse", "HEAD^{tree}")))
        let baseline = try await finder.find(.commit(head, tree: tree), named: "HEAD^").baseline
        #expect(baseline.gaps.map(\.code) == [.baseUnknown])
        #expect(baseline.gaps.first?.detail.contains("more than \(files) of them") == true)
        #expect(baseline.basePackage == nil)
    }

    @Test func `a manifest that can only be evaluated where it is built takes nothing out of sight`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests")])

            """
        try folder.write(manifest, to: "work/Package.swift")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "side")
        let hiding = manifest.replacing(", .testTarget(name: \"KitTests\")", with: "")
        try folder.write(
            hiding + "if Context.packageDirectory.contains(\"kanmon-base-\") { fatalError() }\n",
            to: "work/Package.swift")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")
        let baseline = try await found(in: folder, branch: "side").baseline
        #expect(baseline.gaps.map(\.code) == [.baseUnknown])
        #expect(baseline.gaps.first?.subject == "Package.swift")
    }

    @Test func `flags that name the folder of the package are the same wherever its manifest is evaluated`()
        async throws
    {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Kit", targets: [
                .target(name: "Kit", swiftSettings: [.unsafeFlags(["-Xcc", "-I\\(Context.packageDirectory)/inc"])])])

            """
        try folder.write(manifest, to: "work/Package.swift")
        try folder.write("let one = 1\n", to: "work/Sources/Kit/Kit.swift")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "side")
        try folder.write(manifest + "// More.\n", to: "work/Package.swift")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")
        let baseline = try await found(in: folder, branch: "side").baseline
        #expect(baseline.basePackage?.targets.map(\.unsafeFlags) == [["-Xcc", "-I./inc"]])
        #expect(baseline.package?.targets.map(\.unsafeFlags) == [["-Xcc", "-I./inc"]])
    }

    /// A repository with a package in `Kit`, whose test targets are the lines of a file beside it: two at the base, one at the head.
    ///
    /// - Parameter isLinked: Whether the folder of that file is a link to another one.
    private func packageThatReads(isLinked: Bool) async throws -> TestFolder {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write(
            """
            // swift-tools-version: 6.0
            import Foundation
            import PackageDescription
            let path = "\\(Context.packageDirectory)/../common/tests.txt"
            let names = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\\n")
            let tests = names.map { Target.testTarget(name: String($0)) }
            let package = Package(name: "Kit", targets: [Target.target(name: "Kit")] + tests)

            """, to: "work/Kit/Package.swift")
        try folder.write("let one = 1\n", to: "work/Kit/Sources/Kit/Kit.swift")
        let place = isLinked ? "shared" : "common"
        if isLinked {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.work)/common", withDestinationPath: place)
        }
        try folder.write("OneTests\nTwoTests\n", to: "work/\(place)/tests.txt")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "side")
        try folder.write("OneTests\n", to: "work/\(place)/tests.txt")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")
        return folder
    }

    @Test(arguments: [false, true])
    func `a manifest that reads a file beside its package has it at the base, too`(isLinked: Bool) async throws {
        let folder = try await packageThatReads(isLinked: isLinked)
        let baseline = try await found(in: folder, branch: "side", package: "Kit").baseline
        #expect(baseline.gaps == [])
        #expect(baseline.basePackage?.targets.map(\.name) == ["Kit", "OneTests", "TwoTests"])
        #expect(baseline.basePackage?.targets.map(\.isModule) == [true, false, false])
        #expect(baseline.package?.targets.map(\.name) == ["Kit", "OneTests"])
    }

    @Test func `a target at the base is found where it lies, and what lies behind a link may be a module`()
        async throws
    {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        func write(_ targets: String) throws {
            try folder.write(
                """
                // swift-tools-version: 6.0
                import PackageDescription
                let package = Package(name: "Kit", targets: [\(targets)])

                """, to: "work/Package.swift")
        }
        try write(
            ".target(name: \"Kit\"), .target(name: \"Linked\"), .target(name: \"C\"), "
                + ".target(name: \"Slash\", path: \"./Slash/\"), .testTarget(name: \"KitTests\")")
        try folder.write("let one = 1\n", to: "work/Sources/Kit/Kit.swift")
        try folder.write("let one = 1\n", to: "work/Slash/Slash.swift")
        try folder.write("int c;\n", to: "work/src/C/c.c")
        try folder.write("let one = 1\n", to: "work/Tests/KitTests.swift")
        try folder.write("let two = 2\n", to: "work/shared/Linked.swift")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/Sources/Linked", withDestinationPath: "../shared")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "side")
        try write(".target(name: \"Kit\")")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")
        let baseline = try await found(in: folder, branch: "side").baseline
        let targets = try #require(baseline.basePackage?.targets)
        #expect(targets.map(\.name) == ["Kit", "Linked", "C", "Slash", "KitTests"])
        #expect(targets.map(\.isModule) == [true, true, false, true, false])
        #expect(
            targets.map(\.sources)
                == [["Sources/Kit/Kit.swift"], [], [], ["Slash/Slash.swift"], ["Tests/KitTests.swift"]])
    }

    @Test func `nothing passes where the manifest of the base may read what is not here`() async throws {
        let folder = try await packageThatReads(isLinked: false)
        try await folder.git("switch", "--quiet", "main")
        try await folder.git(
            "update-index", "--add", "--cacheinfo", "160000,\(String(repeating: "1", count: 40)),more")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/up", withDestinationPath: "../elsewhere")
        try await folder.git("add", "up")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "other")
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", "head")
        let baseline = try await found(in: folder, branch: "other", package: "Kit").baseline
        #expect(
            baseline.gaps == [
                Gap(
                    .baseUnknown, subject: "Kit/Package.swift",
                    detail: "its manifest reads files, and not all of them are here: "
                        + "the commit of the submodule more is not in a repository here; "
                        + "the link up leads out of the repository")
            ])
        #expect(baseline.basePackage == nil)
    }

    @Test(arguments: [false, true])
    func `a manifest of the base that cannot be evaluated is a change that a commit has to be waived for`(
        isLink: Bool
    ) async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let path = "\(folder.work)/Package.swift"
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Kit", targets: [.target(name: "Kit")])

            """
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../elsewhere")
        } else {
            try folder.write(manifest + "let more = missing\n", to: "work/Package.swift")
        }
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "side")
        try FileManager.default.removeItem(atPath: path)
        try folder.write(manifest, to: "work/Package.swift")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")
        let finding = try await found(in: folder, branch: "side")
        let reason = try #require(finding.baseline.unreadableManifest)
        #expect(isLink == (reason == "Package.swift is no file of the repository"))
        #expect(!reason.isEmpty && !reason.contains("kanmon-base-"))
        #expect(finding.notes == [Note(.baseUnreadable, subject: "Package.swift", detail: reason)])
        #expect(finding.baseline.gaps == [])
        #expect(finding.baseline.basePackage == nil)
    }

    @Test func `what is recorded under the default branch is not compared with a state of it that was refused`()
        async throws
    {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        try folder.write("version: 1\nproject: kit\n", to: "work/.kanmon.yml")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "good")
        let good = try await folder.git("rev-parse", "HEAD")
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", "weak")
        let weak = try await folder.git("rev-parse", "HEAD")
        try await folder.git("update-ref", "refs/remotes/origin/main", weak)
        // As a pipeline leaves it that has not fetched what it checks out as a branch.
        try await folder.git("checkout", "--quiet", "--detach")
        try await folder.git("branch", "--quiet", "-D", "main")
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", "next")

        let home = Home(folder.home, process: folder.process)
        home.prepare()
        var run = SampleRuns.passing(1)
        run.project = "kit"
        run.revision?.commit = weak
        let refused = Verdict(decision: .failed, violations: [], gaps: [], modules: [], policy: Policy())
        _ = try RunStore(path: home.database).ingest(run, verdict: refused, runDirectory: nil)

        #expect(
            try await found(in: folder).baseline.commit
                == BaseCommit(commit: weak, kind: .mergeBase, name: "origin/main"))
        #expect(
            try await found(in: folder, branch: "main").baseline.commit
                == BaseCommit(commit: good, kind: .passed, name: "origin/main"))
    }

    private func found(
        in folder: TestFolder, branch: String? = nil, package: String = ""
    ) async throws -> BaselineFinder.Finding {
        let revision = Revision(
            commit: try await folder.git("rev-parse", "HEAD"), tree: try await folder.git("rev-parse", "HEAD^{tree}"),
            branch: branch, subject: "head", isDirty: false)
        let process = folder.process
        let checkpoint = Checkpoint(
            process: process, home: Home(folder.home, process: process))
        let context = try await PackageContext.load(
            package.isEmpty ? folder.work : "\(folder.work)/\(package)", process: process)
        return try #require(try await context.baseline(revision, named: nil, checkpoint: checkpoint))
    }
}
