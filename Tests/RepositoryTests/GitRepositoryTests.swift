import Foundation
import RunModel
import Testing

@testable import Repository

@Suite struct GitRepositoryTests {
    @Test func `outside of git there is no repository`() async throws {
        let sandbox = try Sandbox()
        #expect(try await GitRepository.discover(at: sandbox.root, environment: sandbox.environment) == nil)
    }

    @Test func `a link to a repository that is gone is an error, not outside`() async throws {
        let sandbox = try Sandbox()
        try sandbox.write("gitdir: /nonexistent/repository\n", to: "broken/.git")
        let message = "fatal: not a git repository: /nonexistent/repository"
        await #expect(throws: GitError.failed(command: "rev-parse", status: 128, message: message)) {
            _ = try await GitRepository.discover(at: sandbox.path("broken"), environment: sandbox.environment)
        }
    }

    @Test func `a repository of somebody else is refused with git's words`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        var variables = sandbox.variables
        variables["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        await #expect {
            _ = try await sandbox.repository(hookVariables: variables)
        } throws: { error in
            guard case GitError.dubiousOwnership(_, let message)? = error as? GitError else { return false }
            return message.contains("detected dubious ownership")
        }
    }

    @Test func `without git on the path that is said`() async throws {
        let sandbox = try Sandbox()
        let environment = GitEnvironment(["PATH": sandbox.root])
        await #expect(throws: GitError.gitNotFound) {
            _ = try await GitRepository.discover(at: sandbox.root, environment: environment)
        }
    }

    @Test func `folders are found from below, with odd names`() async throws {
        let sandbox = try Sandbox()
        let name = "wörk \"生\"\n dir\n"
        try await sandbox.makeRepository(name)
        try sandbox.makeFolder("\(name)/Sub/Pack")
        let repository = try await sandbox.repository("\(name)/Sub/Pack")
        #expect(repository.workTree == sandbox.path(name))
        #expect(repository.gitDirectory == sandbox.path("\(name)/.git"))
        #expect(repository.commonDirectory == repository.gitDirectory)
        #expect(try await repository.subpath(of: sandbox.path("\(name)/Sub/Pack")) == "Sub/Pack")
        #expect(try await repository.subpath(of: sandbox.path(name)) == "")
        #expect(try await repository.hooksDirectory() == sandbox.path("\(name)/.git/hooks"))
    }

    @Test func `a linked work tree shares the hooks`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.git("worktree", "add", "--quiet", sandbox.path("linked"))
        let repository = try await sandbox.repository("linked")
        #expect(repository.workTree == sandbox.path("linked"))
        #expect(repository.gitDirectory == sandbox.path("work/.git/worktrees/linked"))
        #expect(repository.commonDirectory == sandbox.path("work/.git"))
        #expect(try await repository.hooksDirectory() == sandbox.path("work/.git/hooks"))
        #expect(try await repository.revision().branch == "linked")
    }

    @Test func `core.hooksPath is honored`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.git("config", "core.hooksPath", "my hooks")
        #expect(try await repository.hooksDirectory() == sandbox.path("work/my hooks"))
    }

    @Test func `a bare repository has no work tree`() async throws {
        let sandbox = try Sandbox()
        try sandbox.makeFolder("bare")
        try await sandbox.git("init", "--quiet", "--bare", in: "bare")
        #expect(try await sandbox.repository("bare").workTree == nil)
    }

    @Test func `variables of another repository do not mislead`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.makeRepository("other")
        var variables = sandbox.variables
        variables["GIT_DIR"] = sandbox.path("other/.git")
        variables["GIT_INDEX_FILE"] = sandbox.path("other/.git/index")
        variables["GIT_WORK_TREE"] = sandbox.path("other")
        let environment = GitEnvironment(variables)
        let found = try await GitRepository.discover(at: sandbox.path("work"), environment: environment)
        #expect(found?.workTree == sandbox.path("work"))
        let inHook = try await sandbox.repository(hookVariables: variables)
        #expect(inHook.gitDirectory == sandbox.path("other/.git"))
    }

    @Test func `children outside of the hook see no repository`() {
        let environment = GitEnvironment([
            "PATH": "/bin", "GIT_DIR": ".", "GIT_INDEX_FILE": "i", "GIT_QUARANTINE_PATH": "q", "GIT_PREFIX": "",
            "GIT_SSL_CAINFO": "ca", "GIT_SSH_COMMAND": "ssh", "GIT_CONFIG_GLOBAL": "g", "GIT_CONFIG_COUNT": "1",
        ])
        let expected = ["PATH": "/bin", "GIT_SSL_CAINFO": "ca", "GIT_SSH_COMMAND": "ssh", "GIT_CONFIG_GLOBAL": "g"]
        #expect(environment.withoutRepository == expected)
    }

    @Test func `output of many kilobytes comes whole`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let content = String(repeating: "0123456789abcdef\n", count: 60_000)
        try sandbox.write(content, to: "work/big")
        let object = try await sandbox.git("hash-object", "-w", "big")
        for _ in 0..<10 {
            let output = try await repository.run("cat-file", ["blob", GitArgument(object)])
            #expect(output.bytes.count == content.utf8.count)
        }
    }
}
