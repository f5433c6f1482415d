import Foundation
import Glibc
import Testing

@testable import Repository

@Suite struct HookInstallerTests {
    let sandbox: Sandbox
    let repository: GitRepository
    let hook: String

    init() async throws {
        sandbox = try Sandbox()
        repository = try await sandbox.makeRepository()
        hook = sandbox.path("work/.git/hooks/pre-push")
        try sandbox.writeProgram("exit 0\n", to: "bin/kanmon")
        try sandbox.writeProgram("exit 0\n", to: "bin/swift")
        try sandbox.makeFolder("remote")
        try await sandbox.git("init", "--quiet", "--bare", in: "remote")
        try await sandbox.git("remote", "add", "origin", sandbox.path("remote"))
    }

    private var binary: String { sandbox.path("bin/kanmon") }
    private var swift: String { sandbox.path("bin/swift") }

    @discardableResult
    private func install(
        _ kinds: [HookKind] = [.prePush], binary: String? = nil, subpath: String = "", home: String? = nil
    ) async throws -> [HookInstaller.Change] {
        try await HookInstaller(repository)
            .install(kinds, binary: binary ?? self.binary, swift: swift, packages: [subpath], home: home)
    }

    /// A program in place of Kanmon that notes how it was called.
    private func writeBinary(status: Int, to name: String = "bin/kanmon") throws {
        let log = sandbox.path("log")
        try sandbox.writeProgram(
            """
            { printf '%s\\n' "swift=$KANMON_SWIFT"; printf '<%s>' "$@"; echo; cat; } >>'\(log)'
            exit \(status)
            """,
            to: name
        )
    }

    private func push(_ arguments: String...) async throws -> GitOutput {
        try await sandbox.run(["push", "--quiet", "origin"] + arguments)
    }

    private func isOnRemote(_ branch: String = "main") async throws -> Bool {
        try await sandbox.run(["rev-parse", "--verify", "--quiet", "refs/heads/\(branch)"], in: "remote").status == 0
    }

    @Test func `a verdict of failure blocks the push, a good one lets it pass`() async throws {
        try await install()
        try writeBinary(status: 2)
        #expect(try await push("main").status == 1)
        #expect(try await !isOnRemote())
        try writeBinary(status: 0)
        #expect(try await push("main").status == 0)
        #expect(try await isOnRemote())

        let head = try await sandbox.object("HEAD")
        let call = """
            swift=\(swift)
            <hook><run><pre-push><origin><\(sandbox.path("remote"))>
            refs/heads/main \(head) refs/heads/main \(head.zero)

            """
        #expect(try sandbox.read("log") == call + call)
    }

    @Test func `a hostile branch reaches Kanmon as it is`() async throws {
        try await install()
        try writeBinary(status: 0)
        let branch = "$(touch${IFS}ran);`x`|'\"<生>"
        try await sandbox.git("update-ref", "refs/heads/\(branch)", "HEAD")
        #expect(try await push("refs/heads/\(branch)").status == 0)
        #expect(try sandbox.read("log").contains("\nrefs/heads/\(branch) "))
        #expect(!sandbox.exists("work/ran"))
    }

    @Test func `a hook that is there is called first, with the same input, and may refuse`() async throws {
        try sandbox.writeProgram(
            "cat >'\(sandbox.path("earlier"))'; echo \"$@\" >>'\(sandbox.path("earlier"))'; [ ! -e '\(sandbox.path("no"))' ]\n",
            to: "work/.git/hooks/pre-push")
        #expect(try await install() == [.installed(path: hook, callsEarlierHook: true)])
        try writeBinary(status: 0)
        #expect(try await push("main").status == 0)
        let head = try await sandbox.object("HEAD")
        let line = "refs/heads/main \(head) refs/heads/main \(head.zero)\n"
        #expect(try sandbox.read("earlier") == "\(line)origin \(sandbox.path("remote"))\n")
        #expect(try sandbox.read("log").hasSuffix(">\n" + line))

        try sandbox.write("", to: "no")
        #expect(try await push("main:other").status == 1)
        #expect(try sandbox.read("log").split(separator: "\n").count == 3, "Kanmon was not asked")
    }

    @Test func `an earlier hook that does not read its input is no trouble`() async throws {
        try sandbox.writeProgram("exit 0\n", to: "work/.git/hooks/pre-push")
        try await install()
        try writeBinary(status: 0)
        for number in 0..<5 { #expect(try await push("main:refs/heads/b\(number)").status == 0) }
        #expect(try await push("--delete", "b0").status == 0)
    }

    @Test func `a binary that is gone refuses the push and says so`() async throws {
        try await install()
        try FileManager.default.removeItem(atPath: binary)
        let output = try await push("main")
        #expect(output.status == 1)
        #expect(output.message.hasPrefix("kanmon: failed to judge: \(binary) is gone; Try: kanmon hook install"))
        #expect(try await !isOnRemote())
        #expect(try await HookInstaller(repository).status(.prePush) == .binaryMissing(path: binary))
    }

    @Test func `pre-commit refuses a commit`() async throws {
        try await install([.prePush, .preCommit], subpath: "Sub dir")
        try writeBinary(status: 1)
        #expect(try await sandbox.run(["commit", "--quiet", "--allow-empty", "--message", "m"]).status == 1)
        #expect(try sandbox.read("log") == "swift=\(swift)\n<hook><run><pre-commit><--package-path><Sub dir>\n")
        try writeBinary(status: 0)
        #expect(try await sandbox.run(["commit", "--quiet", "--allow-empty", "--message", "m"]).status == 0)
    }

    @Test func `odd paths are recorded to the byte`() async throws {
        let name = "o'dd \"$(x)\" `y`\n生"
        try writeBinary(status: 0, to: "\(name)/kanmon")
        try await install(binary: sandbox.path("\(name)/kanmon"))
        #expect(try await push("main").status == 0)
        #expect(sandbox.exists("log"))
    }

    @Test func `installing again changes nothing, or only the paths`() async throws {
        #expect(try await install() == [.installed(path: hook, callsEarlierHook: false)])
        #expect(try await install() == [.unchanged(path: hook)])
        try writeBinary(status: 0, to: "bin/other")
        #expect(try await install(binary: sandbox.path("bin/other")) == [.updated(path: hook)])
        let expected = HookStatus.installed(
            binary: sandbox.path("bin/other"), swift: swift, packages: [""], home: nil, callsEarlierHook: false)
        #expect(try await HookInstaller(repository).status(.prePush) == expected)
        chmod(hook, 0o644)
        #expect(try await HookInstaller(repository).status(.prePush) == .notExecutable)
        #expect(try await install(binary: sandbox.path("bin/other")) == [.updated(path: hook)])
    }

    @Test func `a hook guards several packages, and one of them can be taken from it`() async throws {
        try await install(subpath: "A")
        #expect(try await install([.preCommit, .prePush], subpath: "B b").map(\.self).last == .updated(path: hook))
        #expect(try await install(subpath: "") == [.updated(path: hook)])
        #expect(try await install(subpath: "A") == [.unchanged(path: hook)])
        try writeBinary(status: 0)
        #expect(try await push("main").status == 0)
        let head = try await sandbox.object("HEAD")
        #expect(
            try sandbox.read("log") == """
                swift=\(swift)
                <hook><run><pre-push><--package-path><A><--package-path><B b><--package-path><.><origin><\(sandbox.path("remote"))>
                refs/heads/main \(head) refs/heads/main \(head.zero)

                """)
        let status = HookStatus.installed(
            binary: binary, swift: swift, packages: ["A", "B b", ""], home: nil, callsEarlierHook: false)
        #expect(try await HookInstaller(repository).status(.prePush) == status)
        #expect(
            status.description
                == "installed: \(binary), for the packages in A, in B b, at the top of the repository")

        let installer = HookInstaller(repository)
        #expect(try await installer.uninstall([.prePush], package: "A") == [.updated(path: hook)])
        #expect(try await installer.uninstall([.prePush], package: "") == [.updated(path: hook)])
        #expect(try sandbox.read("work/.git/hooks/pre-push").contains("package='B b'\nexport"))
        #expect(
            try await installer.uninstall([.prePush], package: "B b")
                == [.uninstalled(path: hook, restoredEarlierHook: false)])
    }

    @Test func `a hook of a server that guards another package stays`() async throws {
        let server = ServerHookSettings(
            mode: .verify, home: "/h")
        let installer = HookInstaller(repository)
        let path = sandbox.path("work/.git/hooks/update")
        _ = try await installer.install([.update], binary: binary, swift: swift, packages: ["A"], server: server)
        let before = try sandbox.read("work/.git/hooks/update")
        let lines = HookScript(kind: .update, binary: binary, swift: swift, packages: ["B"], server: server).snippet
        let expected = HookError.guardsAnother(
            path: path, package: "A", asked: "B", earlier: path + ".before-kanmon", lines: lines)
        await #expect(throws: expected) {
            try await installer.install([.update], binary: binary, swift: swift, packages: ["B"], server: server)
        }
        #expect(try sandbox.read("work/.git/hooks/update") == before)
        #expect(
            expected.description
                == "install the hook for the package in B: \(path) guards the package in A, and one script on a server guards one package"
        )
    }

    @Test func `a store that is named is written into the script, and told`() async throws {
        let log = sandbox.path("log")
        try sandbox.writeProgram("printf '%s' \"$KANMON_HOME\" >'\(log)'\n", to: "bin/kanmon")
        let home = sandbox.path("o'dd $(x) home")
        try await install([.prePush, .preCommit], home: home)
        #expect(try await push("main").status == 0)
        #expect(try sandbox.read("log") == home)
        #expect(try await sandbox.run(["commit", "--quiet", "--allow-empty", "--message", "m"]).status == 0)
        let status = HookStatus.installed(
            binary: binary, swift: swift, packages: [""], home: home, callsEarlierHook: false)
        #expect(try await HookInstaller(repository).status(.prePush) == status)
        #expect(
            status.description
                == "installed: \(binary), for the package at the top of the repository, with KANMON_HOME \(home)")
        #expect(try await install(home: home) == [.unchanged(path: hook)])
        #expect(try await install() == [.updated(path: hook)])
        #expect(
            try await HookInstaller(repository).uninstall([.prePush])
                == [.uninstalled(path: hook, restoredEarlierHook: false)])
    }

    @Test(arguments: ["program", "disabled", "link", "dangling"])
    func `uninstalling brings back exactly what was there`(kind: String) async throws {
        let name = "work/.git/hooks/pre-push"
        switch kind {
        case "program": try sandbox.writeProgram("exit 0 # \u{FFFD}", to: name)
        case "disabled": try sandbox.write("no program\r\n", to: name)
        case "link":
            try sandbox.writeProgram("exit 0\n", to: "work/.git/hooks/shared")
            symlink("shared", hook)
        default: symlink("nowhere", hook)
        }
        let before = try sandbox.fingerprint()
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: hook)
        try await install()
        try await install()
        try writeBinary(status: 0)
        let push = try await push("main")
        #expect(push.status == 0, "\(push.message)")
        #expect(
            try await HookInstaller(repository).uninstall() == [
                .uninstalled(path: hook, restoredEarlierHook: true),
                .unchanged(path: sandbox.path("work/.git/hooks/pre-commit")),
                .unchanged(path: sandbox.path("work/.git/hooks/post-commit")),
            ])
        var after = try sandbox.fingerprint()
        for key in after.keys where key.hasPrefix(".git/refs/remotes") || key.hasPrefix(".git/logs") {
            after[key] = before[key]
        }
        #expect(after == before)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: hook)) == target)
    }

    @Test func `uninstalling without an earlier hook leaves none`() async throws {
        try await install()
        let change = try await HookInstaller(repository).uninstall([.prePush])
        #expect(change == [.uninstalled(path: hook, restoredEarlierHook: false)])
        #expect(!sandbox.exists("work/.git/hooks/pre-push"))
        #expect(try await HookInstaller(repository).uninstall([.prePush]) == [.unchanged(path: hook)])
    }

    @Test func `a script that was edited is neither rewritten nor removed`() async throws {
        try await install()
        try sandbox.write(try sandbox.read("work/.git/hooks/pre-push") + "echo mine\n", to: "work/.git/hooks/pre-push")
        #expect(try await HookInstaller(repository).status(.prePush) == .edited)
        await #expect(throws: HookError.edited(path: hook)) { try await install() }
        await #expect(throws: HookError.edited(path: hook)) { _ = try await HookInstaller(repository).uninstall() }
        #expect(try sandbox.read("work/.git/hooks/pre-push").hasSuffix("echo mine\n"))
    }

    @Test func `a hook that replaced ours is reported and not changed`() async throws {
        #expect(try await HookInstaller(repository).status(.prePush) == .notInstalled(otherHook: false, nil))
        try sandbox.writeProgram("first\n", to: "work/.git/hooks/pre-push")
        #expect(try await HookInstaller(repository).status(.prePush) == .notInstalled(otherHook: true, nil))
        try await install()
        try sandbox.writeProgram("exec git lfs pre-push \"$@\"\n", to: "work/.git/hooks/pre-push")
        let expected = HookStatus.replaced(by: .gitLFS, leftBehind: [hook + ".before-kanmon"])
        #expect(try await HookInstaller(repository).status(.prePush) == expected)
        await #expect(throws: HookError.earlierHookInTheWay(path: hook + ".before-kanmon")) { try await install() }
        #expect(try await HookInstaller(repository).uninstall([.prePush]) == [.unchanged(path: hook)])
    }

    @Test(arguments: [
        ("entry: kanmon hook run pre-push", true), ("- id: kanmon-pre-push", true), ("- id: other", false),
        ("# - id: kanmon-pre-push", false),
    ])
    func `a hook of the pre-commit framework is found by its call, or by its name in our list`(
        line: String, isFound: Bool
    ) async throws {
        try sandbox.writeProgram(
            "# File generated by pre-commit: https://pre-commit.com\n", to: "work/.git/hooks/pre-push")
        try sandbox.write("repos:\n  \(line)\n", to: "work/.pre-commit-config.yaml")
        let status = try await HookInstaller(repository).status(.prePush)
        #expect((status == .calledBy(.preCommit)) == isFound)
        // Git does not run it, whatever it would call.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: hook)
        #expect(try await HookInstaller(repository).status(.prePush) != .calledBy(.preCommit))
    }

    @Test func `the pre-commit framework calls ours, lefthook does not`() async throws {
        try await install()
        rename(hook, hook + ".legacy")
        try sandbox.writeProgram(
            "# File generated by pre-commit: https://pre-commit.com\n", to: "work/.git/hooks/pre-push")
        #expect(try await HookInstaller(repository).status(.prePush) == .calledBy(.preCommit))
        rename(hook + ".legacy", hook + ".old")
        try sandbox.writeProgram("call_lefthook run pre-push \"$@\"\n", to: "work/.git/hooks/pre-push")
        let expected = HookStatus.replaced(by: .lefthook, leftBehind: [hook + ".old"])
        #expect(try await HookInstaller(repository).status(.prePush) == expected)
    }

    @Test func `a linked work tree has the hooks of its repository`() async throws {
        try await sandbox.git("worktree", "add", "--quiet", sandbox.path("linked"))
        let linked = HookInstaller(try await sandbox.repository("linked"))
        #expect(
            try await linked.install([.prePush], binary: binary, swift: swift) == [
                .installed(path: hook, callsEarlierHook: false)
            ])
    }

    @Test func `a relative path or no program is refused`() async throws {
        await #expect(throws: HookError.notAProgram(path: "kanmon")) { try await install(binary: "kanmon") }
        await #expect(throws: HookError.notAProgram(path: sandbox.root)) { try await install(binary: sandbox.root) }
        #expect(!sandbox.exists("work/.git/hooks/pre-push"))
    }
}
