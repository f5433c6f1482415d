import Foundation
import Subprocess
import TestSupport
import Testing

/// Real git with the real program as its hook.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct HookTests {
    private let folder: TestFolder
    private let program: Program
    private var repository: String { "\(folder.path)/repository" }

    init() throws {
        folder = try TestFolder()
        program = Program(folder: folder, variables: ["XDG_CACHE_HOME": "\(folder.path)/cache"])
    }

    @discardableResult
    private func git(_ words: String...) async throws -> Int32 { try await told(words).status }

    /// What git and its hooks print, and the status.
    private func told(_ words: [String]) async throws -> (status: Int32, text: String) {
        let result = try await Subprocess.run(
            .name("git"),
            arguments: Arguments(
                ["-C", repository, "-c", "user.name=Ada", "-c", "user.email=ada@example.org"] + words),
            environment: .inherit.updating([
                // The store is that of the script, whatever is set where git is called.
                "KANMON_HOME": "\(folder.path)/elsewhere", "XDG_CACHE_HOME": "\(folder.path)/cache",
                "GIT_CONFIG_GLOBAL": "/dev/null",
                "GIT_CONFIG_NOSYSTEM": "1", "KANMON_CAUSES_BUDGET": "0s",
            ]),
            input: .none, output: .bytes(limit: 1 << 20), error: .bytes(limit: 1 << 20))
        let text = String(decoding: result.standardOutput + result.standardError, as: UTF8.self)
        guard case .exited(let status) = result.terminationStatus else { return (128, text) }
        return (status, text)
    }

    private func hook(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["hook"] + words + ["--package-path", repository])
    }

    @Test func `a hook calls the program by the name by which it was installed, and tells when that is gone`()
        async throws
    {
        try FileManager.default.copyItem(atPath: try TestFolder.package("LowCoverage"), toPath: repository)
        try await git("init", "--quiet", "--initial-branch", "main")
        let link = "\(folder.path)/bin/kanmon"
        try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Program.path)
        var called = program
        called.executable = link
        let install = ["hook", "install", "--pre-commit", "--package-path", repository]
        #expect(try await called.run(install).status == 0)
        func named(_ name: String = "kanmon") throws -> [Substring] {
            try String(contentsOfFile: "\(repository)/.git/hooks/pre-push", encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("\(name)=") }
        }
        #expect(try named() == ["kanmon='\(link)'"])
        // Found on PATH, as a shell does it.
        called.executable = "kanmon"
        called.variables["PATH"] = "\(folder.path)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        // A proxy that a manager of toolchains puts before them, and that leads to another one tomorrow.
        let proxy = "\(folder.path)/bin/swift"
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let swift = try #require(
            path.split(separator: ":").map { "\($0)/swift" }.first { FileManager.default.isExecutableFile(atPath: $0) })
        try folder.write("#!/bin/sh\nexec '\(swift)' \"$@\"\n", to: "bin/swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: proxy)
        #expect(try await called.run(install).status == 0)
        #expect(try named() == ["kanmon='\(link)'"])
        #expect(try named("KANMON_SWIFT") == ["KANMON_SWIFT='\(proxy)'"])

        try await git("add", "--all")
        try FileManager.default.removeItem(atPath: proxy)
        let stopped = try await told(["commit", "--quiet", "--message", "a"])
        #expect(stopped.status == 1)
        #expect(
            stopped.text == """
                kanmon: failed to run the tests: there is no swift at \(proxy)
                Try: kanmon hook install, if a hook recorded this path; else name another with --swift or KANMON_SWIFT

                """)

        try FileManager.default.removeItem(atPath: link)
        let refused = try await told(["commit", "--quiet", "--message", "a"])
        #expect(refused.status == 1)
        #expect(
            refused.text == """
                kanmon: failed to judge: \(link) is gone
                Try: kanmon hook install, to record where it is now; or remove the hook .git/hooks/pre-commit

                """)
    }

    /// A package with one function and one test of it.
    private func write(_ name: String, answer: Int) throws {
        let files = [
            "Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "\(name)", targets: [
                .target(name: "\(name)"), .testTarget(name: "\(name)Tests", dependencies: ["\(name)"]),
            ])
            """,
            "Sources/\(name)/Code.swift": "public func answer() -> Int { \(answer) }\n",
            "Tests/\(name)Tests/CodeTests.swift": """
            import XCTest
            import \(name)
            final class CodeTests: XCTestCase { func testIt() { XCTAssertEqual(answer(), 42) } }
            """,
        ]
        for (file, text) in files { _ = try folder.write(text, to: "repository/Packages/\(name)/\(file)") }
    }

    @Test func `a push is judged for each package of the repository, unless only others have changed`() async throws {
        try write("A", answer: 42)
        try write("B", answer: 42)
        _ = try folder.write("one", to: "repository/README.md")
        try await git("init", "--quiet", "--initial-branch", "main")
        try await git("init", "--quiet", "--bare", "\(folder.path)/remote.git")
        try await git("remote", "add", "origin", "\(folder.path)/remote.git")
        #expect(try await hook("install", "--all-packages").status == 0)
        #expect(try await hook("status").output.contains("for the packages in Packages/A, in Packages/B"))
        func push(_ message: String) async throws -> (status: Int32, text: String) {
            try await git("add", "--all")
            try await git("commit", "--quiet", "--message", message)
            return try await told(["push", "--quiet", "origin", "main"])
        }
        let unchanged = "nothing that it is built from has changed since"
        let first = try await push("one")
        #expect(first.status == 0, "\(first.text)")
        #expect(
            first.text.hasSuffix(
                "kanmon: the package in Packages/A: may pass\nkanmon: the package in Packages/B: may pass\n"))
        #expect(!first.text.contains(unchanged))

        try write("A", answer: 41)
        let second = try await push("two")
        #expect(second.status == 1)
        #expect(second.text.components(separatedBy: unchanged).count == 2)
        #expect(
            second.text.contains(
                "kanmon: the package in Packages/A: one or more tests failed\nkanmon: the package in Packages/B: may pass\n"
            ))

        try write("A", answer: 42)
        _ = try folder.write("two", to: "repository/README.md")
        let third = try await push("three")
        #expect(third.status == 0, "\(third.text)")
        #expect(!third.text.contains(unchanged))
    }

    @Test func `a package is judged where another one in its folder has changed, which it is built from`() async throws
    {
        let files = [
            "Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "App", dependencies: [.package(path: "Packages/Core")],
                targets: [
                    .target(name: "App", dependencies: ["Core"]), .testTarget(name: "AppTests", dependencies: ["App"]),
                ])
            """,
            "Sources/App/App.swift": "import Core\npublic func asked() -> Int { answer() }\n",
            "Tests/AppTests/AppTests.swift": """
            import App
            import XCTest
            final class AppTests: XCTestCase { func testIt() { XCTAssertEqual(asked(), 42) } }
            """,
            "Packages/Core/Package.swift": """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Core", products: [.library(name: "Core", targets: ["Core"])],
                targets: [.target(name: "Core"), .testTarget(name: "CoreTests", dependencies: ["Core"])])
            """,
            "Packages/Core/Sources/Core/Core.swift": "public func answer() -> Int { 42 }\n",
            "Packages/Core/Tests/CoreTests/CoreTests.swift": """
            import Core
            import XCTest
            final class CoreTests: XCTestCase { func testIt() { XCTAssertGreaterThan(answer(), 1) } }
            """,
        ]
        for (file, text) in files { _ = try folder.write(text, to: "repository/\(file)") }
        try await git("init", "--quiet", "--initial-branch", "main")
        try await git("init", "--quiet", "--bare", "\(folder.path)/remote.git")
        try await git("remote", "add", "origin", "\(folder.path)/remote.git")
        #expect(try await hook("install").status == 0)
        #expect(
            try await program.run(["hook", "install", "--package-path", "\(repository)/Packages/Core"]).status == 0)
        func push(_ message: String) async throws -> (status: Int32, text: String) {
            try await git("add", "--all")
            try await git("commit", "--quiet", "--message", message)
            return try await told(["push", "--quiet", "origin", "main"])
        }
        let first = try await push("one")
        #expect(first.status == 0, "\(first.text)")
        _ = try folder.write(
            "public func answer() -> Int { 41 }\n", to: "repository/Packages/Core/Sources/Core/Core.swift")
        let second = try await push("two")
        #expect(second.status == 1)
        #expect(second.text.contains("Blocked: 1 test failed"), "\(second.text)")
    }

    @Test func `a push of a tree under its floor is refused, and a better one goes through`() async throws {
        try FileManager.default.copyItem(atPath: try TestFolder.package("LowCoverage"), toPath: repository)
        try await git("init", "--quiet", "--initial-branch", "main")
        try await git("init", "--quiet", "--bare", "\(folder.path)/remote.git")
        try await git("remote", "add", "origin", "\(folder.path)/remote.git")
        #expect(try await hook("status").status == 2)
        #expect(try await hook("install", "--pre-commit", "--home", folder.home).status == 0)
        let guarded = try await hook("status")
        #expect(guarded.status == 0)
        let lines = guarded.output.split(separator: "\n")
        let end = ", for the package at the top of the repository, with KANMON_HOME \(folder.home)"
        #expect(lines.map { $0.hasSuffix(end) } == [true, true, true])

        try await git("add", "--all")
        #expect(try await git("commit", "--quiet", "--message", "too low") != 0)
        try await git("commit", "--quiet", "--no-verify", "--message", "too low")
        #expect(try await git("push", "--quiet", "origin", "main") != 0)
        #expect(try await git("rev-parse", "--verify", "--quiet", "refs/remotes/origin/main") != 0)

        // A lower floor would be a gate change: only more tests help.
        let more = """
            import Greeting
            import Testing

            @Test(arguments: [-1, 9, 15, 20]) func anytime(hour: Int) {
                #expect(!greeting("a", hour: hour).isEmpty)
            }
            """
        try folder.write(more, to: "repository/Tests/GreetingTests/MoreTests.swift")
        try await git("add", "--all")
        #expect(try await git("commit", "--quiet", "--message", "with more tests") == 0)
        // Both were staged when they were judged; what they became is known without a push.
        #expect(try await listed() == ["passed: with more tests by Ada", "failed: too low by Ada"])
        #expect(try await git("push", "--quiet", "origin", "main") == 0)
        #expect(try await git("rev-parse", "--verify", "--quiet", "refs/remotes/origin/main") == 0)

        let runs = try await program.run(["history", "--json"]).output
        // The refused commit, and the refused push of the same tree.
        #expect(runs.components(separatedBy: "\"decision\":\"failed\"").count == 2, "\(runs)")
        #expect(runs.components(separatedBy: "\"decision\":\"passed\"").count == 2)
        try await checkServer()
        #expect(try await hook("uninstall").status == 0)
        #expect(try await hook("status").status == 2)
    }

    /// The listed runs of staged files or commits of this history.
    private func listed() async throws -> [String] {
        struct Run: Decodable {
            var commit, subject, author: String?
            var decision: String
        }
        let output = try await program.run(["history", "--json"]).output
        var lines: [String] = []
        for run in try JSONDecoder().decode([Run].self, from: Data(output.utf8)) {
            let found = try await told(["log", "-1", "--format=%s by %an", run.commit ?? "none"])
            #expect(found.text == "\(run.subject ?? "") by \(run.author ?? "")\n")
            lines.append("\(run.decision): \(found.text.dropLast())")
        }
        return lines
    }

    /// How the runs of a part of the targets were done.
    private func parts() throws -> [String] {
        struct Manifest: Decodable {
            struct Selection: Decodable { var targets: [String]? }
            struct Artifact: Decodable { var role: String }
            var engine: String
            var selection: Selection?
            var profiles: [Int]
            var artifacts: [Artifact]
        }
        let runs = URL(filePath: "\(folder.home)/runs")
        let names = try FileManager.default.subpathsOfDirectory(atPath: runs.path(percentEncoded: false))
        return try names.filter { $0.hasSuffix("/manifest.json") }.compactMap { name in
            let bytes = try Data(contentsOf: runs.appending(path: name))
            let manifest = try JSONDecoder().decode(Manifest.self, from: bytes)
            guard manifest.selection?.targets != nil else { return nil }
            let isMeasured =
                !manifest.profiles.isEmpty || manifest.artifacts.contains { $0.role == "coverage-export" }
            return "\(manifest.engine), measured: \(isMeasured)"
        }
    }

    /// Whether a commit was let through because its second was over: before the first test began, or after.
    private func isOutOfTime(_ text: String) -> Bool {
        text.contains("kanmon: provisional: 1s are over: ")
            || text.contains("kanmon: provisional: the budget of 1s is over, and no test has run yet;")
    }

    /// A server that asks the same store: a tree that passed comes in, one that nobody ran does not.
    private func checkServer() async throws {
        let server = ["--package-path", "\(folder.path)/remote.git", "--home", folder.home]
        let install = ["hook", "install", "--server", "verify", "--protect", "known", "--protect", "unknown*"]
        #expect(try await program.run(install + server).status == 0)
        #expect(try await git("push", "--quiet", "--no-verify", "origin", "main:refs/heads/known") == 0)

        try folder.write("Nobody tested this.\n", to: "repository/Sources/Greeting/Notes.txt")
        try await git("add", "--all")
        try await git("commit", "--quiet", "--no-verify", "--message", "not tested")
        let refused = try await told(["push", "--no-verify", "origin", "main:refs/heads/unknown"])
        #expect(refused.status != 0)
        #expect(refused.text.contains("remote: "))
        #expect(refused.text.contains("pre-receive hook declined"))
    }

    @Test func `a commit runs what it can break, or as much as its time allows, and a push all of it`() async throws {
        try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Two", targets: [
                .target(name: "One", path: "Library/One", resources: [.copy("page.md")]), .target(name: "Other"),
                .testTarget(name: "OneTests", dependencies: ["One"]),
                .testTarget(name: "OtherTests", dependencies: ["Other"]),
            ])
            """, to: "repository/Package.swift")
        for (name, place) in [("One", "Library/One"), ("Other", "Sources/Other")] {
            try folder.write("public func f() -> Int { 1 }\n", to: "repository/\(place)/f.swift")
            try folder.write(
                "import \(name)\nimport Testing\n@Test func works() { #expect(f() == 1) }\n",
                to: "repository/Tests/\(name)Tests/f.swift")
        }
        try folder.write("# One\n", to: "repository/Library/One/page.md")
        try await git("init", "--quiet", "--initial-branch", "main")
        try await git("init", "--quiet", "--bare", "\(folder.path)/remote.git")
        try await git("remote", "add", "origin", "\(folder.path)/remote.git")
        #expect(try await hook("install", "--pre-commit", "--home", folder.home).status == 0)
        try await git("add", "--all")
        let first = try await told(["commit", "--message", "first"])
        #expect(first.status == 0)
        #expect(!first.text.contains("provisional"))

        try folder.write("public func f() -> Int { 0 + 1 }\n", to: "repository/Library/One/f.swift")
        let second = try await told(["commit", "--all", "--message", "second"])
        #expect(second.status == 0)
        #expect(second.text.contains("test targets that depend on what changed: OneTests\n"))
        #expect(second.text.contains("OtherTests"))
        #expect(second.text.contains("provisional: the tests that the commit can break passed"))
        #expect(try parts() == ["direct, measured: false"])
        #expect(try await listed() == ["passed: second by Ada", "passed: first by Ada"])
        try folder.write("public func f() -> Int { 2 }\n", to: "repository/Sources/Other/f.swift")
        #expect(try await git("commit", "--quiet", "--all", "--message", "broken") == 1)

        try await git("checkout", "--quiet", ".")
        try await git("reset", "--quiet", "--hard")
        try folder.write("hooks: { pre-commit: { budget: 1s } }\n", to: "repository/.kanmon.yml")
        try folder.write(
            "import Testing\n@Test func waits() async throws { try await Task.sleep(for: .seconds(4)) }\n",
            to: "repository/Tests/OtherTests/slow.swift")
        try await git("add", "--all")
        let third = try await told(["commit", "--message", "third"])
        #expect(third.status == 0)
        #expect(isOutOfTime(third.text), "\(third.text)")
        try folder.write("# Two\n", to: "repository/README.md")
        try await git("add", "--all")
        #expect(try await told(["commit", "--message", "fourth"]).text.contains("the change affects no test"))
        // A target lies there, so a test may read it.
        try folder.write("# One more\n", to: "repository/Library/One/page.md")
        try await git("add", "--all")
        let fifth = try await told(["commit", "--message", "fifth"]).text
        #expect(isOutOfTime(fifth), "\(fifth)")
        let push = try await told(["push", "origin", "main"])
        #expect(push.status == 0)
        #expect(push.text.contains("Passed: 3 tests"))
        let audit = try await program.run(["audit", "HEAD", "--package-path", repository])
        #expect(audit.status == 2)
        #expect(audit.output.hasSuffix("2 of 5 commits passed\n"), "\(audit.output)")
    }
}
