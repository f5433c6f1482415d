import Evidence
import Foundation
import Gate
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application
@testable import kanmon

/// The made-up histories: the demo's, and the one with which the growth of a store is measured.
@Suite struct DemoTests {
    private let program: Program

    /// `kanmon-bench`, beside the test bundle.
    private let bench: Program

    init() throws {
        program = Program(folder: try TestFolder())
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var bench = program
        bench.executable = bundle.appending(path: "kanmon-bench").path(percentEncoded: false)
        self.bench = bench
    }

    @Test func `the demo fills an empty home, and only an empty one`() async throws {
        let filled = try await program.run(["demo", "--no-serve", "--home", program.folder.home])
        #expect(filled.status == 0)
        let again = try await program.run(["demo", "--no-serve", "--home", program.folder.home])
        #expect(again.status == 64)
        #expect(again.messages.contains("already has a store"))

        let ledger = try await program.run(["config", "exclusions", "--project", "example.com/video-kit", "--json"])
        #expect(ledger.status == 0)
        #expect(ledger.output.contains("\"pattern\":"))
        let table = try await program.run(["config", "exclusions", "--project", "example.com/video-kit"])
        #expect(table.status == 0)
        #expect(table.output.contains("Sources/"))
    }

    @Test func `what the demo's tests attached is in their run directories, as their results say`() async throws {
        try #require(try await program.run(["demo", "--no-serve", "--home", program.folder.home]).status == 0)
        let store = try RunStore(readOnly: program.folder.home + "/kanmon.sqlite")
        let latest = try #require(try store.latestRun(project: "example.com/video-kit"))
        let found = try #require(try store.run(latest.id))
        let directory = RunDirectory(path: try #require(found.runDirectory))
        let attached = found.run.tests.flatMap(\.attachments)
        #expect(Set(attached.map(\.name)) == ["answer of the cache.txt", "thumbnail.png"])
        let artifacts = try directory.manifest().artifacts
        for file in attached {
            let artifact = try #require(artifacts.first { $0.path == file.path })
            // Refused if the checksum is another.
            #expect(try directory.bytes(of: artifact).count == file.bytes && artifact.sha256 == file.sha256)
        }
    }

    @Test func `the demo has commits that nobody tested or that were blocked, and a run under way`() async throws {
        try #require(try await program.run(["demo", "--no-serve", "--home", program.folder.home]).status == 0)
        let project = "example.com/video-kit"
        let store = try RunStore(readOnly: program.folder.home + "/kanmon.sqlite")
        let audit = try DemoAudit(store: store).audit(project: project, branch: "main")
        #expect(audit.branch == "origin/main" && audit.looked > audit.entries.count)
        let (untested, blocked) = (audit.entries.filter { $0.run == nil }, audit.entries.filter { $0.run != nil })
        #expect(!untested.isEmpty && untested.allSatisfy { $0.decision == nil && !$0.commit.isEmpty })
        #expect((1...8).contains(blocked.count) && blocked.allSatisfy { $0.decision == .failed })
        #expect(audit.entries == untested + blocked)
        for entry in blocked {
            let found = try store.summary(of: try #require(entry.run))
            let run = try #require(found)
            #expect(run.project == project)
        }
        let live = try DemoLive(home: Home(program.folder.home, process: program.folder.process))
        let running = live.progressFiles.running().map(\.run)
        #expect(running.map(\.project) == [project] && running.map(\.progress.failed) == [1])
        live.end()
        #expect(live.progressFiles.running().isEmpty)
        #expect(running.allSatisfy { !FileManager.default.fileExists(atPath: $0.folder) })
    }

    @Test func `a change is told in the terminal, and for programs`() async throws {
        let project = ["--project", "example.com/video-kit"]
        try #require(try await program.run(["demo", "--no-serve", "--home", program.folder.home]).status == 0)
        let change = try await program.run(["change", "topic/検索"] + project)
        #expect(change.status == 0)
        #expect(change.output.hasPrefix("topic/検索: "))
        #expect(change.output.contains(" main ") && !change.output.contains("working copy"))
        let data = try await program.run(["change", "topic/検索", "--json"] + project)
        #expect(data.output.contains("\"branch\":\"topic/検索\"") && data.output.contains("\"slower\":["))
        let main = try await program.run(["change", "main"] + project)
        #expect(main.status == 64 && main.messages.contains("it is the default branch"))
        let none = try await program.run(["change", "nothing\u{1B}[2J"] + project)
        #expect(none.status == 64 && none.messages.contains("no full run of the branch"))
        #expect(!none.messages.contains("\u{1B}"))
        let nowhere = try await program.run(["change"] + project)
        #expect(nowhere.status == 64 && nowhere.messages.contains("no branch is checked out"))
    }

    @Test func `the growth of a store is shown per test result, for the coverage and per run`() async throws {
        let words = ["grow-store", "grown", "--runs", "6", "--tests", "50", "--files", "5"]
        let grown = try await bench.run(words)
        #expect(grown.status == 0)
        let lines = grown.output.split(separator: "\n").map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
        #expect(lines == ["bytes a test result", "bytes a run for the coverage of 5 files", "bytes a run in all"])
    }

    @Test func `a long history is stored as any other, and its newest sources are kept`() async throws {
        let words = ["fill-store", program.folder.home, "--runs", "40", "--tests", "120", "--files", "30"]
        let filled = try await bench.run(words)
        #expect(filled.status == 0)
        #expect(filled.output == "40 runs of 120 tests and 30 files\n")
        let listed = try await program.run(["history", "--all", "--limit", "100", "--json"])
        #expect(listed.status == 0)
        let check = try await program.run(["db", "check"])
        #expect(check.status == 0)
    }
}

extension SlowTests {
    @Suite struct DoctorTests {
        @Test func `the doctor names the toolchain, the store, the package and the hook`() async throws {
            let program = Program(
                folder: try TestFolder(), variables: ["LICENSE_KEY": "k", "KANMON_TIMEOUT_RUN": "1h"])
            let package = try TestFolder.package("Mixed")
            _ = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
            let outcome = try await program.run(["doctor", "--package-path", package])
            for words in [
                "✓ toolchain: ", "isolation: reaper possible", "✓ store: 1 run of 1 project", "✓ package: ",
                "✓ environment: not passed to the tests: LICENSE_KEY; name what they need under run.environment\n",
            ] {
                #expect(outcome.output.contains(words))
            }
            let missing = try await program.run(["doctor", "--package-path", "nowhere"])
            #expect(missing.status == 78)
            #expect(missing.output.contains("✕ package: "))
        }
    }
}
