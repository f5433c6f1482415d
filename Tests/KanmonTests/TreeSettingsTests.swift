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

    @Test func `settings behind a link of the commit hold`() async throws {
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
                "\"fault\" : \".kanmon.yml is a symbolic link that leads to no file of the repository\""))
    }
}
