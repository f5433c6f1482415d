import Foundation
import Testing

/// Settings of commits that are not checked out as plain files.
@Suite struct TreeSettingsTests {
    private let folder: TestFolder
    private let program: Program

    init() async throws {
        folder = try TestFolder()
        program = Program(folder: folder, variables: ["XDG_CACHE_HOME": "\(folder.path)/cache"])
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
    }

    private func commit(_ subject: String) async throws -> String {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", subject)
        return try await folder.git("rev-parse", "HEAD")
    }

    private func link(to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/.kanmon.yml", withDestinationPath: target)
    }

    @Test func `settings that are too large are refused by their size`() async throws {
        let path = "\(folder.work)/.kanmon.yml"
        try folder.write("# settings\n", to: "work/.kanmon.yml")
        // A hole behind the text: reading it would take more memory than there may be.
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 8 << 30)
        try file.close()
        let outcome = try await program.run(["config", "show"])
        #expect(outcome.status == 78)
        #expect(
            outcome.messages.contains(".kanmon.yml: 8589934592 bytes are more than the 1048576 that settings may have"))
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `settings behind a link of the commit apply`() async throws {
        try folder.write("coverage:\n  moduls: {}\n", to: "work/shared/gate.yml")
        try link(to: "shared/gate.yml")
        _ = try await commit("link")
        #expect(
            try await program.run(["run", "--commit", "HEAD"])
                == Program.Outcome(
                    status: 78, output: "",
                    messages: "kanmon: .kanmon.yml:2:3: unknown key 'moduls' in coverage\nTry: write 'modules'\n"))
    }

    @Test func `settings behind a link out of the commit are refused, not taken for none`() async throws {
        try folder.write("coverage: { modules: { default: { line: 95 } } }\n", to: "outside.yml")
        try link(to: "../outside.yml")
        _ = try await commit("link")
        #expect(
            try await program.run(["run", "--commit", "HEAD"])
                == Program.Outcome(
                    status: 78, output: "",
                    messages: "kanmon: .kanmon.yml is a symbolic link that leads to no file of the repository\n"
                        + "Try: commit the file itself, or a link to a file of the repository\n"))
    }

    @Test func `a link to nothing is no package without settings`() async throws {
        try link(to: "../nowhere.yml")
        for words in [["config", "show"], ["run"]] {
            let outcome = try await program.run(words)
            #expect(outcome.status == 78)
            #expect(outcome.messages.contains("failed to read \(folder.work)/.kanmon.yml"), "\(outcome.messages)")
        }
    }

    @Test(arguments: [".kanmon.yml", "kanmon.yaml"])
    func `settings above the package are refused, in the working copy and in a commit`(name: String) async throws {
        try FileManager.default.removeItem(atPath: "\(folder.work)/Package.swift")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Packages/Kit/Package.swift")
        try folder.write("tests: { minimum: 3 }\n", to: "work/\(name)")
        _ = try await commit("above")
        let refusal = Program.Outcome(
            status: 78, output: "",
            messages: "kanmon: \(name) is ignored: the package is in Packages/Kit\n"
                + "Try: move it to Packages/Kit/.kanmon.yml\n")
        #expect(try await program.run(["config", "show", "--package-path", "Packages/Kit"]) == refusal)
        #expect(try await program.run(["run", "--commit", "HEAD", "--package-path", "Packages/Kit"]) == refusal)
    }

    @Test func `settings of the package above and those in the package apply`() async throws {
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Packages/Kit/Package.swift")
        try folder.write("tests: { minimum: 3 }\n", to: "work/.kanmon.yml")
        try folder.write("tests: { minimum: 4 }\n", to: "work/Packages/Kit/.kanmon.yml")
        #expect(try await program.run(["config", "show"]).status == 0)
        #expect(try await program.run(["config", "show", "--package-path", "Packages/Kit"]).status == 0)
    }

    @Test(arguments: [".kanmon.yaml", ".Kanmon.yml", ".kanmon.json"])
    func `settings of a commit under another name are refused, not taken for none`(name: String) async throws {
        try folder.write("tests: { minimum: 3 }\n", to: "work/\(name)")
        _ = try await commit("other name")
        #expect(
            try await program.run(["run", "--commit", "HEAD"])
                == Program.Outcome(
                    status: 78, output: "",
                    messages: "kanmon: \(name) is ignored: the settings file is .kanmon.yml\n"
                        + "Try: rename it to .kanmon.yml\n"))
    }

    @Test func `an audit of a history that is cut says so`() async throws {
        for subject in ["first", "second", "third"] {
            try folder.write("// \(subject)\n", to: "work/Sources/A/A.swift")
            _ = try await commit(subject)
        }
        try await folder.git("clone", "--quiet", "--depth", "2", "file://\(folder.work)", "\(folder.path)/cut")
        let cut = try await program.run(["audit", "HEAD", "--json", "--package-path", "\(folder.path)/cut"])
        #expect(cut.status == 4)
        #expect(cut.output.contains("\"isCut\":true"), "\(cut.output)")
        #expect(cut.messages.contains("Try: git fetch --unshallow"), "\(cut.messages)")
        let whole = try await program.run(["audit", "HEAD~1..HEAD", "--package-path", "\(folder.path)/cut"])
        #expect(whole.status == 2, "\(whole.output)\(whole.messages)")
    }

    @Test func `an audit lists a commit whose settings are wrong, and the others`() async throws {
        let good = try await commit("good")
        try folder.write("coverage:\n  moduls: {}\n", to: "work/.kanmon.yml")
        let bad = try await commit("bad")
        try FileManager.default.removeItem(atPath: "\(folder.work)/.kanmon.yml")
        try link(to: "nowhere")
        let linked = try await commit("link")
        #expect(
            try await program.run(["audit", "HEAD"])
                == Program.Outcome(
                    status: 2,
                    output: """
                        ✕ \(linked.prefix(12)) no verdict (.kanmon.yml is a symbolic link that leads to no file of the repository): link
                        ✕ \(bad.prefix(12)) no verdict (.kanmon.yml:2:3: unknown key 'moduls' in coverage): bad
                        ✕ \(good.prefix(12)) no verdict: good
                        0 of 3 commits passed

                        """, messages: ""))
        let report = try await program.run(["audit", "HEAD~1..HEAD", "--json"])
        #expect(report.status == 2)
        #expect(
            report.output.contains(
                "\"fault\":\".kanmon.yml is a symbolic link that leads to no file of the repository\""))
    }
}
