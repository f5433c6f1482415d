import Foundation
import Subprocess
import TestSupport
import Testing

extension SlowTests {
    /// Real git with the real program as its hook.
    @Suite struct HookTests {
        private let folder: TestFolder
        private let program: Program
        private var repository: String { "\(folder.path)/repository" }

        init() throws {
            folder = try TestFolder()
            program = Program(folder: folder, variables: ["XDG_CACHE_HOME": "\(folder.path)/cache"])
        }

        @discardableResult
        private func git(_ words: String...) async throws -> Int32 {
            let result = try await Subprocess.run(
                .name("git"),
                arguments: Arguments(
                    ["-C", repository, "-c", "user.name=Ada", "-c", "user.email=ada@example.org"] + words),
                environment: .inherit.updating([
                    "KANMON_HOME": folder.home, "XDG_CACHE_HOME": "\(folder.path)/cache",
                    "GIT_CONFIG_GLOBAL": "/dev/null",
                    "GIT_CONFIG_NOSYSTEM": "1",
                ]),
                input: .none, output: .bytes(limit: 1 << 20), error: .bytes(limit: 1 << 20))
            guard case .exited(let status) = result.terminationStatus else { return 128 }
            return status
        }

        private func hook(_ words: String...) async throws -> Program.Outcome {
            try await program.run(["hook"] + words + ["--package-path", repository])
        }

        @Test func `a push of a tree under its floor is refused, and a better one goes through`() async throws {
            try FileManager.default.copyItem(atPath: try TestFolder.package("LowCoverage"), toPath: repository)
            try await git("init", "--quiet", "--initial-branch", "main")
            try await git("init", "--quiet", "--bare", "\(folder.path)/remote.git")
            try await git("remote", "add", "origin", "\(folder.path)/remote.git")
            #expect(try await hook("status").status == 2)
            #expect(try await hook("install", "--pre-commit").status == 0)
            let guarded = try await hook("status")
            #expect(guarded.status == 0)
            #expect(guarded.output.split(separator: "\n").count == 2)

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
            #expect(try await git("push", "--quiet", "origin", "main") == 0)
            #expect(try await git("rev-parse", "--verify", "--quiet", "refs/remotes/origin/main") == 0)

            let runs = try await program.run(["history", "--json"]).output
            #expect(runs.components(separatedBy: "\"decision\" : \"failed\"").count == 2)
            #expect(runs.components(separatedBy: "\"decision\" : \"passed\"").count == 2)
            #expect(try await hook("uninstall").status == 0)
            #expect(try await hook("status").status == 2)
        }
    }
}
