import Foundation
import Testing

/// `kanmon project`: listing, renaming and removing projects.
@Suite struct ProjectTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }

    private func ingest() async throws {
        let taken = try await program.run(
            ["ingest", "--exit-zero", "\(TestFolder.runs)/Mixed", "\(TestFolder.runs)/Failing"])
        try #require(taken.status == 0)
    }

    private func projects() async throws -> [String] {
        struct Row: Decodable { let name: String }
        let listed = try await program.run(["project", "list", "--json"])
        return try JSONDecoder().decode([Row].self, from: Data(listed.output.utf8)).map(\.name)
    }

    @Test func `a project has another name, also for runs that come under the old one and after a rebuild`()
        async throws
    {
        try await ingest()
        let before = try await projects()
        let name = try #require(before.first)
        let renamed = try await program.run(["project", "rename", name, "example.com/new"])
        #expect(renamed.status == 0)
        #expect(try await projects() == (before.dropFirst() + ["example.com/new"]).sorted())
        #expect(try await program.run(["project", "rename", before[1], "example.com/new"]).status == 64)
        try await ingest()
        #expect(try await projects() == (before.dropFirst() + ["example.com/new"]).sorted())
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await projects() == (before.dropFirst() + ["example.com/new"]).sorted())
    }

    @Test func `projects whose names differ only in their bytes are renamed apart`() async throws {
        let names = ["team/cafe\u{301}", "team/caf\u{e9}"]
        for (name, run) in zip(names, ["Mixed", "Failing"]) {
            let given = "\(program.folder.work)/\(run)"
            try FileManager.default.copyItem(atPath: "\(TestFolder.runs)/\(run)", toPath: given)
            let manifest = try String(contentsOfFile: "\(given)/manifest.json", encoding: .utf8)
            try manifest.replacing("\"project\": \"\(run)\"", with: "\"project\": \"\(name)\"")
                .write(toFile: "\(given)/manifest.json", atomically: false, encoding: .utf8)
            try #require(try await program.run(["ingest", "--exit-zero", given]).status == 0)
        }
        #expect(try await program.run(["project", "rename", names[1], "team/new"]).status == 0)
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await projects().map { Array($0.utf8) } == [names[0], "team/new"].map { Array($0.utf8) })
    }

    @Test func `removing shows what goes, asks, and leaves the other projects`() async throws {
        try await ingest()
        let before = try await projects()
        let name = try #require(before.first)
        let shown = try await program.run(["project", "remove", name, "--dry-run"])
        #expect(shown.status == 0)
        #expect(shown.output.hasPrefix("the project '\(name)': 1 result, the last one of 2026-01-02"))
        #expect(shown.output.contains("1 run directory of "))
        // Nobody can answer.
        let asked = try await program.run(["project", "remove", name])
        #expect(asked.status == 64)
        #expect(try await projects() == before)
        let removed = try await program.run(["project", "remove", name, "--yes"])
        #expect(removed.status == 0)
        #expect(try await projects() == Array(before.dropFirst()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").count == before.count - 1)
        #expect(!FileManager.default.fileExists(atPath: "\(home)/removed"))
        #expect(try await program.run(["db", "check"]).status == 0)
        #expect(try await program.run(["project", "remove", name, "--yes"]).status == 64)
        // It begins anew.
        try await ingest()
        #expect(try await projects() == before)
    }

    @Test func `a project whose runs wait for their delivery is not removed`() async throws {
        try await ingest()
        let name = try #require(try await projects().first)
        let runs = try FileManager.default.subpathsOfDirectory(atPath: "\(home)/runs")
        for path in runs where path.split(separator: "/").count == 2 {
            let id = String(path.suffix(36))
            try program.folder.write(
                "{\"runDirectory\":\"\(home)/runs/\(path)\",\"refusal\":\"409: no\"}", to: "home/outbox/\(id)")
        }
        let refused = try await program.run(["project", "remove", name, "--yes"])
        #expect(refused.status == 64)
        #expect(refused.messages.contains("1 run of it not delivered yet"))
        let forgotten = try await program.run(["push", "--forget", "refused"])
        #expect(forgotten.status == 0)
        #expect(forgotten.output.contains("which the server refused: 409: no"))
        #expect(forgotten.output.hasSuffix("forgot 2 runs\n"))
        #expect(try await program.run(["push", "--forget", "0123456789ab"]).status == 64)
        #expect(try await program.run(["project", "remove", name, "--yes"]).status == 0)
    }
}
