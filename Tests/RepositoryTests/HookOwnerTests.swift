import Foundation
import Testing

@testable import Repository

/// Hooks that somebody else looks after.
@Suite struct HookOwnerTests {
    let sandbox: Sandbox
    let repository: GitRepository

    init() async throws {
        sandbox = try Sandbox()
        repository = try await sandbox.makeRepository()
        try sandbox.writeProgram("exit 0\n", to: "bin/kanmon")
    }

    private func install(_ kind: HookKind = .prePush) async throws -> [HookInstaller.Change] {
        let binary = sandbox.path("bin/kanmon")
        return try await HookInstaller(repository).install([kind], binary: binary, swift: binary, packageSubpath: "Sub")
    }

    private var command: String { "'\(sandbox.path("bin/kanmon"))' hook run pre-push --package-path 'Sub'" }
    private var lines: [String] {
        [
            "# Before anything else that reads standard input, such as Git LFS.",
            "input=$(cat && printf x) || exit 74",
            "input=${input%x}",
            "printf '%s' \"$input\" | \(command) \"$@\" || exit $?",
            "[ -z \"$input\" ] || exec <<KANMON_INPUT",
            "${input%?}",
            "KANMON_INPUT",
        ]
    }

    @Test func `a setting for all repositories is refused with the line to add`() async throws {
        try await sandbox.git("config", "--global", "core.hooksPath", sandbox.path("shared"))
        try sandbox.writeProgram("exit 0\n", to: "shared/pre-push")
        let expected = HookError.sharedFolder(
            path: sandbox.path("shared"),
            reason: .globalSetting,
            file: sandbox.path("shared/pre-push"),
            lines: lines
        )
        await #expect(throws: expected) { try await install() }
        #expect(expected.hint == "add to \(sandbox.path("shared/pre-push")):\n\(lines.joined(separator: "\n"))")
        #expect(try sandbox.read("shared/pre-push") == "#!/bin/sh\nexit 0\n")
    }

    @Test func `hooks that are part of the project are refused with the line to add`() async throws {
        try await sandbox.git("config", "core.hooksPath", ".githooks")
        try sandbox.writeProgram("exit 0\n", to: "work/.githooks/pre-push")
        try await sandbox.git("add", ".githooks")
        let folder = sandbox.path("work/.githooks")
        let expected = HookError.sharedFolder(path: folder, reason: .tracked, file: "\(folder)/pre-push", lines: lines)
        await #expect(throws: expected) { try await install() }
    }

    @Test func `a folder of this repository alone is served`() async throws {
        try await sandbox.git("config", "core.hooksPath", sandbox.path("own"))
        let path = sandbox.path("own/pre-push")
        #expect(try await install() == [.installed(path: path, callsEarlierHook: false)])
    }

    @Test(arguments: [".husky/_", ".husky"])
    func `husky gets the line in its own script`(folder: String) async throws {
        try await sandbox.git("config", "core.hooksPath", folder)
        try sandbox.writeProgram(". \"$(dirname \"$0\")/h\"\n", to: "work/\(folder)/pre-push")
        await #expect(throws: HookError.ownedBy(.husky, file: ".husky/pre-push", lines: lines)) { try await install() }
    }

    @Test func `a hook that does not read its input gets one line`() async throws {
        try await sandbox.git("config", "core.hooksPath", ".husky/_")
        let call = command.replacingOccurrences(of: "pre-push", with: "pre-commit")
        let expected = HookError.ownedBy(.husky, file: ".husky/pre-commit", lines: ["\(call) \"$@\" || exit $?"])
        await #expect(throws: expected) { try await install(.preCommit) }
    }

    @Test func `the lines leave the input to what comes after them, to the byte`() async throws {
        try await sandbox.git("config", "core.hooksPath", ".husky/_")
        try sandbox.writeProgram("exec sh -e \"$(dirname \"$0\")/../pre-push\" \"$@\"\n", to: "work/.husky/_/pre-push")
        let (told, left) = (sandbox.path("told"), sandbox.path("left"))
        try sandbox.write((lines + ["cat >'\(left)'"]).joined(separator: "\n") + "\n", to: "work/.husky/pre-push")
        try sandbox.writeProgram("cat >'\(told)'\n", to: "bin/kanmon")
        try sandbox.makeFolder("remote")
        try await sandbox.git("init", "--quiet", "--bare", in: "remote")
        try await sandbox.git("remote", "add", "origin", sandbox.path("remote"))
        let branch = "$(touch${IFS}ran);`x`|'\"<生>"
        try await sandbox.git("update-ref", "refs/heads/\(branch)", "HEAD")
        try await sandbox.git("push", "--quiet", "origin", "main", "refs/heads/\(branch)")
        let refs = try sandbox.read("told")
        #expect(refs.split(separator: "\n").count == 2)
        #expect(try sandbox.read("left") == refs)
        #expect(!sandbox.exists("work/ran"))

        // Everything is up to date.
        try await sandbox.git("push", "--quiet", "origin", "main")
        #expect(try sandbox.read("told") == "")
        #expect(try sandbox.read("left") == "")

        try sandbox.writeProgram("cat >/dev/null; exit 2\n", to: "bin/kanmon")
        try sandbox.write("untouched", to: "left")
        #expect(try await sandbox.run(["push", "--quiet", "origin", "main:other"]).status == 1)
        #expect(try sandbox.read("left") == "untouched")
    }

    @Test func `the line for a server has all options of its script`() {
        let server = ServerHookSettings(
            mode: .verify, home: "/h", store: "/s", project: "p", dashboard: "http://d/", protected: ["a", "b/*"])
        let script = HookScript(kind: .update, binary: "/k", swift: "", packageSubpath: "Sub", server: server)
        let line =
            "'/k' hook run update --package-path 'Sub' --home '/h' --mode 'verify' --store '/s' --project 'p' "
            + "--dashboard 'http://d/' --protect 'a b/*' \"$@\" || exit $?"
        #expect(script.snippet == [line])
    }

    @Test func `lefthook gets the lines in its configuration`() async throws {
        try sandbox.write("{}\n", to: "work/.lefthook.yaml")
        let lines = [
            "pre-push:", "  commands:", "    kanmon:", "      run: |", "        \(command) {0}",
            "      use_stdin: true",
        ]
        let expected = HookError.ownedBy(.lefthook, file: ".lefthook.yaml", lines: lines)
        await #expect(throws: expected) { try await install() }
        #expect(expected.hint == "add to .lefthook.yaml:\n" + lines.joined(separator: "\n"))
        #expect(!sandbox.exists("work/.git/hooks/pre-push"))
    }

    @Test(arguments: ["# File generated by pre-commit: https://pre-commit.com\n", "git lfs pre-push \"$@\"\n"])
    func `the pre-commit framework and Git LFS are called first`(text: String) async throws {
        try sandbox.writeProgram(text, to: "work/.git/hooks/pre-push")
        let path = sandbox.path("work/.git/hooks/pre-push")
        #expect(try await install() == [.installed(path: path, callsEarlierHook: true)])
        #expect(try sandbox.read("work/.git/hooks/pre-push.before-kanmon") == "#!/bin/sh\n" + text)
    }

    @Test func `hooks that are switched off stay off`() async throws {
        try await sandbox.git("config", "core.hooksPath", "/dev/null")
        await #expect(throws: HookError.hooksDisabled(path: "/dev/null")) { try await install() }
        #expect(try await HookInstaller(repository).status(.prePush) == .disabled)
    }
}
