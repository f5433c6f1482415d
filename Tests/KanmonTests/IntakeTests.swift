import Foundation
import Testing

/// Run directories and reports that somebody else wrote, on their way into the home.
@Suite struct IntakeTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }
    private var given: String { program.folder.path + "/given" }

    /// A copy of a recorded run directory that may be changed.
    private func lay(_ name: String) throws {
        try FileManager.default.copyItem(atPath: "\(TestFolder.runs)/\(name)", toPath: given)
    }

    private func replace(_ old: String, by new: String, in file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try #require(text.contains(old))
        try text.replacing(old, with: new).write(toFile: file, atomically: false, encoding: .utf8)
    }

    /// Every file and folder of the home, with its type and rights.
    private func modes() throws -> [String: mode_t] {
        var found: [String: mode_t] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: home) + ["."] {
            var status = stat()
            try #require(lstat("\(home)/\(path)", &status) == 0)
            found[path] = status.st_mode
        }
        return found
    }

    @Test func `a pipe in a run directory blocks nothing, and permissions are not copied`() async throws {
        try lay("Mixed")
        let files = FileManager.default
        for path in try files.subpathsOfDirectory(atPath: given) where path.hasSuffix(".json") {
            #expect(chmod("\(given)/\(path)", 0o6755) == 0)
        }
        #expect(mkfifo("\(given)/unnamed", 0o666) == 0)
        #expect(unlink("\(given)/build.log") == 0 && mkfifo("\(given)/build.log", 0o666) == 0)
        let taken = try await program.run(["ingest", given])
        #expect(taken.status == 4)
        #expect(taken.output.contains("artifact-damaged"))
        let modes = try modes()
        #expect(modes.keys.contains { $0.hasSuffix("/manifest.json") })
        #expect(!modes.keys.contains { $0.hasSuffix("/unnamed") || $0.hasSuffix("/build.log") })
        let odd = modes.filter { $0.value != S_IFDIR | 0o700 && $0.value != S_IFREG | 0o600 }
        #expect(odd == [:])
    }

    @Test(arguments: [
        ("2026-01-02T03:01:00.000Z", "9999-01-02T03:01:00.000Z", "which is still to come"),
        ("2026-01-02T03:01:00.000Z", "1970-01-02T03:01:00.000Z", "before 2000"),
        ("2026-01-02T03:01:00.000Z", "2025-12-02T03:01:00.000Z", "is of another day"),
        ("\"package\": \"Mixed\"", "\"package\": \"\"", "package: it is empty"),
    ])
    func `a manifest that cannot be true is refused and leaves nothing`(
        truth: String, lie: String, reason: String
    ) async throws {
        try lay("Mixed")
        try replace(truth, by: lie, in: given + "/manifest.json")
        let refused = try await program.run(["ingest", given])
        #expect(refused.status == 65)
        #expect(refused.output == "")
        #expect(refused.messages.contains(reason))
        #expect(try await program.run(["merge", "--expect-shards", "1", given]).status == 65)
        #expect(!FileManager.default.fileExists(atPath: "\(home)/runs"))
    }

    @Test func `a report of tomorrow is refused and leaves nothing`() async throws {
        try program.folder.write("<testsuite><testcase classname=\"A.B\" name=\"t\"/></testsuite>", to: "work/r.xml")
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now.addingTimeInterval(86_400)], ofItemAtPath: "\(program.folder.work)/r.xml")
        let refused = try await program.run(["ingest", "r.xml", "--project", "kit"])
        #expect(refused.status == 65)
        #expect(refused.messages.contains("which is still to come"))
        #expect(refused.messages.contains("touch the file"))
        #expect(!FileManager.default.fileExists(atPath: "\(home)/runs"))
    }

    @Test func `a run directory that lies costs a rebuild nothing but itself`() async throws {
        let runs = ["\(TestFolder.runs)/Mixed", "\(TestFolder.runs)/Failing"]
        _ = try await program.run(["ingest", "--exit-zero"] + runs)
        let projects = try FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").sorted()
        let mixed = try #require(projects.last)
        let id = try #require(FileManager.default.contentsOfDirectory(atPath: "\(home)/runs/\(mixed)").first)
        try replace("2026-01-02T03:0", by: "9999-01-02T03:0", in: "\(home)/runs/\(mixed)/\(id)/manifest.json")
        try program.folder.write("stray", to: "home/runs/stray")
        try FileManager.default.removeItem(atPath: "\(home)/kanmon.sqlite")
        let rebuilt = try await program.run(["db", "rebuild"])
        #expect(rebuilt.status == 65)
        #expect(rebuilt.output == "rebuilt \(home)/kanmon.sqlite from 1 run directory\n")
        #expect(rebuilt.messages.contains("\(id): failed to read evidence"))
        #expect(rebuilt.messages.contains("which is still to come"))
        let pruned = try await program.run(["db", "prune", "--dry-run"])
        #expect(pruned.status == 0)
    }

    @Test func `a store that lacks runs which are kept says so`() async throws {
        _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Mixed"])
        let (store, older) = ("\(home)/kanmon.sqlite", "\(program.folder.path)/older.sqlite")
        #expect(try await program.run(["db", "check"]).status == 0)
        #expect(try await program.run(["db", "backup", older]).status == 0)
        _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Failing"])
        for file in [store, store + "-wal", store + "-shm"] { unlink(file) }
        try FileManager.default.copyItem(atPath: older, toPath: store)
        let said = "the store lacks a run that has a directory: 019b7c00-0002-7000-8000-000000000002"
        let checked = try await program.run(["db", "check"])
        #expect(checked.status == 74)
        #expect(checked.messages == "kanmon: \(said)\nTry: kanmon db rebuild\n")
        #expect(try await program.run(["doctor"]).output.contains("✕ store: \(said)\n  Try: kanmon db rebuild\n"))
        unlink(store)
        let lost = try await program.run(["history", "--all"])
        #expect(lost.status == 74)
        #expect(lost.messages.contains("the store lacks 2 runs that have directories"))
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await program.run(["db", "check"]).status == 0)
    }

    @Test func `a home that others can read is closed to them, unless it has files of others`() async throws {
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let first = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
        #expect(first.messages == "")
        #expect(try modes()["."] == S_IFDIR | 0o700)
        try program.folder.write("", to: "home/letter")
        #expect(chmod(home, 0o755) == 0)
        let second = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Failing"])
        #expect(second.messages.hasPrefix("kanmon: warning: other users can read the results in \(home)"))
        #expect(try modes()["."] == S_IFDIR | 0o755)
        #expect(try modes()["runs"] == S_IFDIR | 0o700)
    }
}
