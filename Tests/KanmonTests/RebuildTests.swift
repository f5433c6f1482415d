import Foundation
import Testing

@testable import Application

/// A database that is made from scratch while others write to the old one, or where the old one holds more.
@Suite struct RebuildTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }

    private func ingest(_ names: String...) async throws {
        for name in names { _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/\(name)"]) }
    }

    private func history() async throws -> String { try await program.run(["history", "--json"]).output }

    @Test func `a run that ends while the database is rebuilt is not lost`() async throws {
        try await ingest("Mixed")
        var rebuild = try StoreRebuild(Home(home, process: program.folder.process), now: .now)
        try rebuild.fill()
        try await ingest("Failing")
        let before = try await history()
        #expect(before.components(separatedBy: "\"id\"").count == 3)
        try rebuild.replace()
        #expect(rebuild.count == 2)
        #expect(rebuild.unreadable == [])
        #expect(try await history() == before)
    }

    @Test func `results whose run directories are gone are discarded on request only`() async throws {
        try await ingest("Mixed", "Failing")
        let before = try await history()
        let folders = try FileManager.default.contentsOfDirectory(atPath: "\(home)/runs")
        let folder = try #require(folders.first { $0.hasPrefix("Mixed") })
        try FileManager.default.removeItem(atPath: "\(home)/runs/\(folder)")

        let refused = try await program.run(["db", "rebuild"])
        #expect(refused.status == 64)
        #expect(refused.output == "")
        #expect(
            refused.messages == """
                kanmon: a rebuild would lose 1 result whose run directory is gone
                Try: kanmon db backup FILE, then kanmon db rebuild --discard-history

                """)
        #expect(try await history() == before)

        let rebuilt = try await program.run(["db", "rebuild", "--discard-history"])
        #expect(rebuilt.status == 0)
        #expect(rebuilt.output == "rebuilt \(home)/kanmon.sqlite from 1 run directory\n")
        #expect(try await history().components(separatedBy: "\"id\"").count == 2)
    }

    @Test func `results whose run directories cannot be read are discarded on request only`() async throws {
        try await ingest("Mixed", "Failing")
        let before = try await history()
        let project = try #require(
            FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").first { $0.hasPrefix("Mixed") })
        let run = try #require(FileManager.default.contentsOfDirectory(atPath: "\(home)/runs/\(project)").first)
        try Data("{".utf8).write(to: URL(filePath: "\(home)/runs/\(project)/\(run)/manifest.json"))

        let refused = try await program.run(["db", "rebuild"])
        #expect(refused.status == 65)
        #expect(refused.output == "")
        #expect(
            refused.messages.hasPrefix("kanmon: a rebuild would lose 1 result whose run directory is not readable:\n"))
        #expect(try await history() == before)
        #expect(!FileManager.default.fileExists(atPath: "\(home)/kanmon.sqlite.rebuilding"))

        let rebuilt = try await program.run(["db", "rebuild", "--discard-history"])
        #expect(rebuilt.status == 65)
        #expect(rebuilt.output == "rebuilt \(home)/kanmon.sqlite from 1 run directory\n")
        #expect(try await history().components(separatedBy: "\"id\"").count == 2)
    }
}
