import Foundation
import RunModel
import Testing

/// What stays true of the store over several commands.
@Suite struct StoreTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }

    /// Runs a command and answers its standard output.
    private func output(_ words: String...) async throws -> String { try await program.run(words).output }

    private func ingest(_ names: String...) async throws {
        for name in names { _ = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/\(name)"]) }
    }

    private func history() async throws -> String { try await output("history", "--json") }

    @Test func `a run directory ingested twice is one run`() async throws {
        try await ingest("Mixed")
        let once = try await history()
        try await ingest("Mixed")
        #expect(try await history() == once)
        #expect(once.components(separatedBy: "\"id\"").count == 2)
    }

    @Test(arguments: [["ingest"], ["merge", "--expect-shards", "1"]])
    func `a copy that was cut short is put right by the whole one`(command: [String]) async throws {
        let copy = program.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: TestFolder.runs + "/Mixed", toPath: copy)
        let manifest = try String(contentsOfFile: copy + "/manifest.json", encoding: .utf8)
        let inputs = try JSONEncoder().encode(
            RunInputs(platform: "p", checkout: "", environment: "", settings: ""))
        let selection =
            #""selection": {"disabledTargets": [], "filters": [], "shard": {"count": 1, "index": 1}, "skips": []},"#
            + "\n  \"inputs\": \(String(decoding: inputs, as: UTF8.self)), \"dependencies\": [],"
        try program.folder.write(
            manifest.replacing("\"schemaVersion\":", with: selection + "\n  \"schemaVersion\":"),
            to: "copy/manifest.json")
        let events = URL(filePath: copy + "/events.jsonl")
        let whole = try Data(contentsOf: events)

        for _ in 1...2 {
            try whole.dropLast().write(to: events)
            let damaged = try await program.run(command + [copy])
            #expect(damaged.status == 4)
            #expect(damaged.output.contains("artifact-damaged"))
        }
        for bytes in [whole, whole.dropLast()] {
            try bytes.write(to: events)
            #expect(try await program.run(command + [copy]).status == 0)
            let stored = try await history()
            #expect(stored.contains("\"exitStatus\":0"))
            #expect(stored.components(separatedBy: "\"id\"").count == 2)
        }
        #expect(try await output("db", "check") == "\(home)/kanmon.sqlite is sound\n")
        let files = FileManager.default
        let project = try #require(files.contentsOfDirectory(atPath: "\(home)/runs").first)
        #expect(try files.contentsOfDirectory(atPath: "\(home)/runs/\(project)").count == 1)
    }

    @Test(arguments: [[], ["--json"]])
    func `a run that could not be stored is reported, waits, and is stored with the next one`(
        form: [String]
    ) async throws {
        // A folder in the place of the database: nobody can open it.
        try FileManager.default.createDirectory(atPath: "\(home)/kanmon.sqlite", withIntermediateDirectories: true)
        let refused = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"] + form)
        #expect(refused.status == 0)
        #expect(refused.messages.hasPrefix("kanmon: warning: the run is kept in \(home)/runs/"))
        #expect(refused.messages.contains("but not stored: failed to use the store"))
        #expect(!refused.output.isEmpty)
        let waiting = try FileManager.default.contentsOfDirectory(atPath: "\(home)/spool")
        #expect(waiting.count == 1)
        try FileManager.default.removeItem(atPath: "\(home)/kanmon.sqlite")
        let taken = try await program.run(["ingest", "--exit-zero", "\(TestFolder.runs)/Failing"])
        #expect(taken.messages.hasPrefix("kanmon: the waiting run "))
        #expect(try await history().components(separatedBy: "\"id\"").count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(home)/spool") == [])
    }

    @Test func `a list of tests shows display names next to the identity`() async throws {
        try await ingest("Mixed")
        let list = try await output("slow", "--project", "Mixed")
        #expect(list.contains("GreetingTests.ModernTests/names(name:) “表示名 🇯🇵”"))
        #expect(try await output("slow", "--project", "Mixed", "--json").contains("\"title\":\"表示名 🇯🇵\""))
    }

    @Test func `reports ingested twice are one run`() async throws {
        try program.folder.write("<testsuite><testcase classname=\"A.B\" name=\"t\"/></testsuite>", to: "work/r.xml")
        let arguments = ["ingest", "r.xml", "--project", "kit", "--exit-zero"]
        let first = try await program.run(arguments)
        let once = try await history()
        let second = try await program.run(arguments)
        #expect((second.status, second.output) == (first.status, first.output))
        #expect(first.messages.hasSuffix("/work/r.xml is read as JUnit XML\n"))
        #expect(second.messages.hasSuffix(" is already known\n"))
        #expect(try await history() == once)
    }

    @Test func `a run that several processes ingest at the same time is stored once`() async throws {
        try program.folder.write("<testsuite><testcase classname=\"A.B\" name=\"t\"/></testsuite>", to: "work/r.xml")
        let inputs = [["\(TestFolder.runs)/Mixed"], ["r.xml", "--project", "kit"]]
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<8 {
                group.addTask { [program] in
                    try await program.run(["ingest", "--exit-zero"] + inputs[number % 2]).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int32](repeating: 0, count: 8))
        let files = FileManager.default
        let projects = try files.contentsOfDirectory(atPath: "\(home)/runs")
        #expect(projects.count == 2)
        for project in projects { #expect(try files.contentsOfDirectory(atPath: "\(home)/runs/\(project)").count == 1) }
        #expect(try await history().components(separatedBy: "\"id\"").count == 3)
    }

    @Test(arguments: [
        ("<testsuite>\n<testcase name=\"a\"></testsuite>", "r.xml", "r.xml:2:"),
        ("{\"kind\":\"event\"}\n{\"kind\":", "r.jsonl", "r.jsonl:"),
        ("{\"data\":[{\"files\":[{\"filename\":3", "r.json", "r.json:1"),
    ])
    func `what cannot be read leaves the store and the home as they were`(
        text: String, file: String, place: String
    ) async throws {
        try await ingest("Mixed")
        let before = try await history()
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(home)/runs")
        try program.folder.write(text, to: "work/\(file)")
        let refused = try await program.run(["ingest", file, "--project", "kit"])
        #expect(refused.status == 65)
        #expect(refused.messages.contains(place))
        #expect(try await history() == before)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: "\(home)/runs") == files)
    }

    @Test func `what cannot be read makes no home`() async throws {
        try program.folder.write("<testsuite>", to: "work/r.xml")
        #expect(try await program.run(["ingest", "r.xml", "--project", "kit"]).status == 65)
        #expect(!FileManager.default.fileExists(atPath: home))
    }

    @Test func `what a killed process left of reports is passed over, and removed after a day`() async throws {
        try await ingest("Mixed")
        let before = try await history()
        let project = try #require(FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").first)
        let leftovers = ["incoming.partial-a1b2c3", "x.partial-a1b2c3"].map { "\(home)/runs/\(project)/\($0)" }
        let held = "\(home)/runs/\(project)/y.partial-a1b2c3"
        for path in leftovers + [held] {
            try FileManager.default.createDirectory(atPath: "\(path)/reports", withIntermediateDirectories: true)
        }
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await history() == before)
        let prune = ["db", "prune", "--keep-days", "10000"]
        #expect(try await program.run(prune).output == "")
        // As a run does that takes days.
        let descriptor = open(held, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        for path in leftovers + [held] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: path)
        }
        let lines = leftovers.map { "removed \($0), which is unfinished\n" }.joined()
        #expect(try await program.run(prune + ["--dry-run"]).output == lines.replacing("removed", with: "would remove"))
        #expect(try await program.run(prune).output == lines)
        #expect(leftovers.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(FileManager.default.fileExists(atPath: held))
    }

    @Test func `of several run directories one that is damaged keeps out none of the others`() async throws {
        let copy = program.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: TestFolder.runs + "/Failing", toPath: copy)
        try Data("{}".utf8).write(to: URL(filePath: copy + "/policy.json"))
        let refused = try await program.run(["ingest", TestFolder.runs + "/Mixed", copy])
        #expect(refused.status == 65)
        #expect(refused.output.contains("not taken: \(copy): "))
        #expect(refused.output.contains("policy.json: 2 bytes"))
        #expect(refused.output.hasSuffix("2 runs: 1 stored, 0 already known, 1 not taken\n"))
        #expect(try await history().components(separatedBy: "\"id\"").count == 2)
    }

    @Test func `a folder of run directories is ingested, and is known the second time`() async throws {
        let count = try FileManager.default.contentsOfDirectory(atPath: TestFolder.runs)
            .count { FileManager.default.fileExists(atPath: "\(TestFolder.runs)/\($0)/manifest.json") }
        let first = try await program.run(["ingest", TestFolder.runs])
        #expect(first.status == 0)
        #expect(first.output.hasSuffix("\(count) runs: \(count) stored, 0 already known\n"))
        let second = try await program.run(["ingest", TestFolder.runs])
        #expect(second.status == 0)
        #expect(second.output.hasSuffix("\(count) runs: 0 stored, \(count) already known\n"))
    }

    @Test func `a what-if stores nothing`() async throws {
        try await ingest("Mixed")
        let before = (try await history(), try await output("report", "--format", "json"))
        try program.folder.write("coverage: { modules: { default: 100 } }", to: "work/strict.yml")
        let strict = try await program.run(["gate", "--policy", "strict.yml"])
        #expect(strict.status == 2)
        #expect(try await history() == before.0)
        #expect(try await output("report", "--format", "json") == before.1)
        #expect(try await program.run(["db", "check"]).status == 0)
    }

    @Test func `a draft is replayed over the stored runs and stores nothing`() async throws {
        try await ingest("Mixed", "Failing", "LowCoverage")
        let before = try await history()
        try program.folder.write("coverage: { modules: { default: 100 } }", to: "work/strict.yml")
        let replay = try await output("gate", "--policy", "strict.yml", "--since", "99999d")
        #expect(replay.hasPrefix("The draft would have blocked 3 of 3 runs, 1 of these passed before.\n"))
        #expect(
            try await output("gate", "--policy", "strict.yml", "--since", "1h").hasPrefix(
                "The draft would have blocked 0 of 0 runs"))
        #expect(try await history() == before)
    }

    @Test func `a database made anew from the run directories answers as the old one did`() async throws {
        try await ingest("Mixed", "Failing", "LowCoverage", "Crashing", "BrokenBuild", "NoTests")
        let before = (try await history(), try await output("report", "--format", "json"))
        removeDatabase()
        #expect(try await program.run(["history"]).status == 74)
        #expect(try await output("db", "rebuild") == "rebuilt \(home)/kanmon.sqlite from 6 run directories\n")
        #expect(try await history() == before.0)
        #expect(try await output("report", "--format", "json") == before.1)
        #expect(try await output("db", "check") == "\(home)/kanmon.sqlite is sound\n")
    }

    @Test func `a run directory that cannot be read does not cost the others`() async throws {
        try await ingest("Mixed", "Failing")
        let folders = try FileManager.default.subpathsOfDirectory(atPath: "\(home)/runs")
        let policy = try #require(folders.first { $0.hasPrefix("Failing") && $0.hasSuffix("policy.json") })
        try Data("{".utf8).write(to: URL(filePath: "\(home)/runs/\(policy)"))
        removeDatabase()
        let rebuilt = try await program.run(["db", "rebuild"])
        #expect(rebuilt.status == 65)
        #expect(rebuilt.output == "rebuilt \(home)/kanmon.sqlite from 1 run directory\n")
        #expect(rebuilt.messages.contains("policy.json: 1 bytes"))
    }

    private func removeDatabase() {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(home)/kanmon.sqlite\(suffix)")
        }
    }

    @Test func `a database of a newer version is refused and left as it is`() async throws {
        try await ingest("Mixed")
        let path = "\(home)/kanmon.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: path))
        // SQLite's file format, section 1.3: the user version is at offset 60, big-endian.
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try bytes.write(to: URL(filePath: path))
        for command in [["history"], ["report"], ["gate"], ["db", "check"], ["ingest", TestFolder.runs + "/Failing"]] {
            let refused = try await program.run(command)
            #expect(refused.status == 74, "\(command)")
            #expect(refused.messages.contains("its schema is version 99"), "\(command)")
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test func `a damaged database is reported, with the command that rebuilds it`() async throws {
        try await ingest("Mixed", "Failing")
        let path = "\(home)/kanmon.sqlite"
        // What a log beside the database still holds would cover up the damage.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(8192..<40_960, with: Data(repeating: 0x5A, count: 32_768))
        try bytes.write(to: URL(filePath: path))
        let checked = try await program.run(["db", "check"])
        #expect(checked.status == 74)
        #expect(checked.messages.contains("kanmon db rebuild"))
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await program.run(["db", "check"]).status == 0)
    }

    @Test func `a copy of the database is a store of its own`() async throws {
        try await ingest("Mixed")
        let before = try await history()
        let other = program.folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(try await program.run(["db", "backup", "\(other)/kanmon.sqlite"]).status == 0)
        #expect(try await output("history", "--json", "--home", other) == before)
    }

    @Test func `old results are removed on request, but for the newest of each project`() async throws {
        // Of one project two runs, the newer one under another name than that of its package.
        try await ingest("Mixed", "LowCoverage")
        let copy = program.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: TestFolder.runs + "/Failing", toPath: copy)
        let manifest = try String(contentsOfFile: copy + "/manifest.json", encoding: .utf8)
        try program.folder.write(
            manifest.replacing("\"project\": \"Failing\"", with: "\"project\": \"Mixed\""), to: "copy/manifest.json")
        _ = try await program.run(["ingest", "--exit-zero", copy])
        let before = try await history()
        #expect(before.components(separatedBy: "\"id\"").count == 4)

        let prune = ["db", "prune", "--keep-days", "1", "--keep-history", "1"]
        let told = try await program.run(prune + ["--dry-run"])
        #expect(told.messages == "3 run directories older than 1 day\n1 result older than 1 day\n")
        #expect(told.output.components(separatedBy: "would remove \(home)/runs/").count == 4)
        #expect(told.output.contains("\nwould remove the result of run ") && told.output.hasSuffix(" of Mixed\n"))
        #expect(try await history() == before)
        #expect(try await program.run(["db", "rebuild"]).status == 0)

        let removed = try await program.run(prune)
        #expect(removed.status == 0)
        #expect(removed.output == told.output.replacing("would remove", with: "removed"))
        #expect(removed.messages == told.messages)
        let after = try await history()
        #expect(after.components(separatedBy: "\"id\"").count == 3)
        #expect(after.components(separatedBy: "\"project\":\"Mixed\"").count == 2)
        #expect(after.contains("\"package\":\"Failing\"") && !after.contains("\"package\":\"Mixed\""))
        #expect(try await output("db", "check") == "\(home)/kanmon.sqlite is sound\n")
        #expect(try await program.run(prune).output == "")
        #expect(try await history() == after)
    }

    @Test func `results are kept unless a limit is given, and no store is made to look for old ones`() async throws {
        let prune = ["db", "prune", "--keep-days", "1"]
        #expect(try await program.run(prune + ["--keep-history", "2"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: home))
        try await ingest("Mixed")
        let before = try await history()
        #expect(try await program.run(prune).status == 0)
        let left = try FileManager.default.subpathsOfDirectory(atPath: "\(home)/runs")
        #expect(left.filter { $0.contains("/") } == [])
        #expect(try await history() == before)
    }

    @Test func `JUnit files are written one for each test target`() async throws {
        try await ingest("Failing")
        let outcome = try await program.run(["report", "--format", "junit", "--out", "junit"])
        #expect(outcome.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(program.folder.work)/junit")
        #expect(names.contains { $0.contains("GreetingTests") })
        for format in ["text", "json", "markdown", "lcov", "cobertura"] {
            let printed = try await output("report", "--format", format)
            _ = try await program.run(["report", "--format", format, "--out", "reports/\(format)"])
            let written = try String(contentsOfFile: "\(program.folder.work)/reports/\(format)", encoding: .utf8)
            if format != "text" {
                #expect(written.trimmingCharacters(in: .newlines) == printed.trimmingCharacters(in: .newlines))
            }
            #expect(!written.isEmpty)
        }
        let refused = try await program.run(["report", "--format", "json", "--out", "reports"])
        #expect(refused.status == 74)
    }
}
