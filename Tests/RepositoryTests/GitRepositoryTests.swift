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

    @Test func `a repository that is damaged is an error, not outside`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.makeFolder("work/Sub")
        try sandbox.write("", to: "work/.git/HEAD")
        let message = "\(sandbox.path("work"))/.git is no git repository, or a damaged one"
        for folder in ["work", "work/Sub"] {
            await #expect(throws: GitError.failed(command: "rev-parse", status: 128, message: message)) {
                _ = try await GitRepository.discover(at: sandbox.path(folder), environment: sandbox.environment)
            }
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
            "GIT_SSL_CAINFO": "ca", "GIT_SSH_COMMAND": "ssh", "GIT_CONFIG_GLOBAL": "g", "GIT_EXTERNAL_DIFF": "evil",
        ])
        let expected = ["PATH": "/bin", "GIT_SSL_CAINFO": "ca", "GIT_SSH_COMMAND": "ssh", "GIT_CONFIG_GLOBAL": "g"]
        #expect(environment.withoutRepository == expected)
        #expect(environment.variables(for: .hook)["GIT_DIR"] == ".")
        #expect(environment.variables(for: .hook)["GIT_EXTERNAL_DIFF"] == nil)
    }

    @Test func `of the settings in variables git gets those that change nothing of what it reads`() {
        let settings = [
            "http.https://ci.example.com/.extraHeader", "core.worktree", "safe.directory", "diff.external",
            "url.https://u:t@ci.example.com/.insteadOf", "core.sshCommand", "CREDENTIAL.helper", "core.attributesFile",
            "diff.x.textconv", "include.path", "core.autocrlf", "remote.origin.url",
        ]
        var variables = ["GIT_CONFIG_COUNT": String(settings.count + 1)]
        for (number, key) in settings.enumerated() {
            variables["GIT_CONFIG_KEY_\(number)"] = key
            variables["GIT_CONFIG_VALUE_\(number)"] = "v\(number)"
        }
        #expect(
            GitEnvironment(variables).withoutRepository == [
                "GIT_CONFIG_COUNT": "5", "GIT_CONFIG_KEY_0": "http.https://ci.example.com/.extraHeader",
                "GIT_CONFIG_VALUE_0": "v0", "GIT_CONFIG_KEY_1": "safe.directory", "GIT_CONFIG_VALUE_1": "v2",
                "GIT_CONFIG_KEY_2": "url.https://u:t@ci.example.com/.insteadOf", "GIT_CONFIG_VALUE_2": "v4",
                "GIT_CONFIG_KEY_3": "core.sshCommand", "GIT_CONFIG_VALUE_3": "v5",
                "GIT_CONFIG_KEY_4": "CREDENTIAL.helper", "GIT_CONFIG_VALUE_4": "v6",
            ])
        #expect(
            GitEnvironment(["GIT_CONFIG_COUNT": "x", "GIT_CONFIG_KEY_0": "safe.directory"]).withoutRepository == [:])
    }

    @Test func `a repository of somebody else that variables trust is read`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        var variables = sandbox.variables
        variables["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        variables["GIT_CONFIG_COUNT"] = "1"
        variables["GIT_CONFIG_KEY_0"] = "safe.directory"
        variables["GIT_CONFIG_VALUE_0"] = "*"
        let found = try await GitRepository.discover(
            at: sandbox.path("work"), environment: GitEnvironment(variables))
        #expect(found?.workTree == sandbox.path("work"))
    }

    @Test func `a bare repository that is named is read where git wants it named`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.git("clone", "--quiet", "--bare", ".", sandbox.path("bare.git"))
        var variables = sandbox.variables
        variables["GIT_CONFIG_COUNT"] = "1"
        variables["GIT_CONFIG_KEY_0"] = "safe.bareRepository"
        variables["GIT_CONFIG_VALUE_0"] = "explicit"
        let environment = GitEnvironment(variables)
        let found = try await GitRepository.discover(at: sandbox.path("bare.git"), environment: environment)
        #expect(found?.gitDirectory == sandbox.path("bare.git"))
        #expect(found?.workTree == nil)
        #expect(try await found?.commit(at: "HEAD") != nil)
        await #expect(throws: GitError.self) {
            try await GitRepository.discover(at: sandbox.path("bare.git/refs"), environment: environment)
        }
    }

    @Test func `a work tree beside a bare repository, and one of SHA-256, is read`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.git("clone", "--quiet", "--bare", ".", sandbox.path("project/.bare"))
        try sandbox.write("gitdir: ./.bare\n", to: "project/.git")
        try await sandbox.git("-C", sandbox.path("project"), "worktree", "add", "--quiet", sandbox.path("project/main"))
        let linked = try await sandbox.repository("project/main")
        #expect(linked.workTree == sandbox.path("project/main"))
        #expect(linked.commonDirectory == sandbox.path("project/.bare"))
        #expect(try await linked.commit(at: "HEAD") != nil)
        #expect(try await sandbox.repository("project").workTree == nil)
        try await sandbox.git("init", "--quiet", "--object-format=sha256", sandbox.path("long"))
        try await sandbox.git("-C", sandbox.path("long"), "commit", "--quiet", "--allow-empty", "-m", "long")
        #expect(try await sandbox.repository("long").commit(at: "HEAD")?.hexadecimal.count == 64)
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
