import Foundation
import Subprocess
import TestSupport
import Testing

/// What builds packages: one after the other, since builds at the same time only slow each other down. `HookTests` and `CommandTests`
/// are beside it, so that two processors have something to do to the end.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) enum SlowTests {}

/// Cases that start SwiftPM.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct CommandTests {
    @Test(arguments: CommandCase.all.filter(\.isSlow))
    func `a command that asks SwiftPM does what is written down`(example: CommandCase) async throws {
        try await example.check()
    }
}

extension SlowTests {
    /// Whole runs of the sample packages with one warm cache.
    @Suite struct RunTests {
        private let program: Program

        init() throws { program = Program(folder: try TestFolder()) }

        @Test func `reports are published in one piece, and yesterday's are gone`() async throws {
            let package = try TestFolder.package("Mixed")
            let out = "\(program.folder.work)/reports"
            for _ in 1...2 {
                #expect(try await program.run(["run", "--package-path", package, "--out", "reports"]).status == 0)
                let names = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
                #expect(
                    names == [
                        ".gitignore", ".kanmon-reports", "cobertura.xml", "code-quality.json", "html", "junit",
                        "lcov.info", "report.json", "report.md", "run", "sonar-coverage.xml", "sonar-tests.xml",
                    ])
                try Data().write(to: URL(filePath: "\(out)/stale.txt"))
            }
            let kept = try await Program(folder: TestFolder()).run(["ingest", "\(out)/run"])
            #expect(kept.status == 0)
        }

        @Test func `the JUnit files lead to copies of what tests attached, under plain names`() async throws {
            let package = try TestFolder.package("Attaching")
            #expect(try await program.run(["run", "--package-path", package, "--out", "reports"]).status == 0)
            let folder = "\(program.folder.work)/reports"
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/junit")
            let texts = try names.map { try String(contentsOfFile: "\(folder)/junit/\($0)", encoding: .utf8) }
            let places = texts.flatMap { $0.matches(of: /\[\[ATTACHMENT\|([^\]]+)\]\]/).map { String($0.output.1) } }
            let real = URL(filePath: "\(folder)/attachments").resolvingSymlinksInPath().path
            #expect(places.count == 6)
            for place in places {
                #expect(URL(filePath: place).resolvingSymlinksInPath().path.hasPrefix(real + "/"))
                #expect(FileManager.default.fileExists(atPath: place))
            }
            #expect(
                Set(places.map { ($0 as NSString).lastPathComponent }).isSuperset(of: [
                    "note.txt", "page.html", "picture.svg", "cod.___txt.exe",
                ]))
        }

        @Test func `a filter that matches no identity is matched with display names`() async throws {
            let package = try TestFolder.package("Mixed")
            let outcome = try await program.run(["run", "--package-path", package, "--filter", "表示名 🇯🇵"])
            #expect(outcome.status == 0)
            #expect(
                outcome.messages.contains(
                    "'表示名 🇯🇵' matches no identity, but the display name of GreetingTests.ModernTests/names(name:)"))
            #expect(outcome.output.hasPrefix("✓ Passed: 1 test, only filter '表示名 🇯🇵'"))
        }

        @Test func `an exclude that matches nothing is reported with its location, and leaves no run`() async throws {
            let package = program.folder.path + "/package"
            try FileManager.default.copyItem(atPath: try TestFolder.package("Mixed"), toPath: package)
            try program.folder.write("coverage:\n  exclude: [ \"Sources/Greting/**\" ]\n", to: "package/.kanmon.yml")
            let cached = Program(
                folder: program.folder, variables: ["XDG_CACHE_HOME": "\(program.folder.path)/cache"])
            let refused = try await cached.run(["run", "--package-path", package])
            #expect(refused.status == 78)
            #expect(refused.messages.contains("kanmon: .kanmon.yml:2:14: coverage.exclude: 'Sources/Greting/**'"))
            #expect(refused.messages.contains("Try: write 'Sources/Greeting/**'"))
            let left = try FileManager.default.subpathsOfDirectory(atPath: program.folder.home)
            #expect(!left.contains { $0.hasSuffix("manifest.json") })
        }

        @Test func `a store that cannot be written costs a warning, not the verdict`() async throws {
            let package = try TestFolder.package("Mixed")
            try program.folder.write("no database", to: "home/kanmon.sqlite")
            let outcome = try await program.run(["run", "--package-path", package])
            #expect(outcome.status == 0)
            #expect(outcome.messages.contains("kanmon: warning: the run is kept in "))
            #expect(outcome.messages.contains("file is not a database"))
        }

        @Test func `a signal ends every process that runs at a time`() async throws {
            let package = try TestFolder.package("Several")
            let home = program.folder.home
            let outcome = try await program.run(
                ["run", "--package-path", package, "--jobs", "2", "--filter", "SleepyTests"]
            ) { send in
                try await untilATestSleeps(in: home, processes: 2)
                try send(.interrupt)
            }
            #expect(outcome.status == 130)
            #expect(outcome.output.contains("interrupted"))
            #expect(try sleepers("SeveralPackageTests.xctest") == [])
            let report = try await program.run(["report", "--format", "json"])
            #expect(report.output.components(separatedBy: "\"name\" : \"testWakes\"").count == 3)
        }

        @Test(arguments: [(Int32(2), "interrupt"), (15, "terminate")])
        func `a signal ends the tests, keeps what is known and tells it`(number: Int32, name: String) async throws {
            let package = try TestFolder.package("Sleeping")
            let home = program.folder.home
            let outcome = try await program.run(["run", "--package-path", package]) { send in
                try await untilATestSleeps(in: home)
                try send(number == 2 ? .interrupt : .terminate)
            }
            #expect(outcome.status == 128 + number)
            #expect(outcome.output.contains("interrupted"))
            let report = try await program.run(["report", "--format", "json"])
            #expect(report.output.contains("\"interrupted\""))
            #expect(report.output.contains("testWakes"))
            let stored = try await program.run(["history", "--json"]).output
            #expect(stored.contains("\"exitStatus\":4"))
            #expect(try sleepers() == [])
        }

        @Test func `a second signal ends at once a test that does not listen to the first`() async throws {
            let package = try TestFolder.package("Sleeping")
            let home = program.folder.home
            let stubborn = Program(folder: program.folder, variables: ["LC_STUBBORN": "1"])
            let outcome = try await stubborn.run(["run", "--package-path", package]) { send in
                try await untilATestSleeps(in: home)
                try send(.interrupt)
                try await Task.sleep(for: .seconds(1))
                #expect(try sleepers() != [])
                try send(.terminate)
                // The grace are ten seconds from the first signal.
                let begin = ContinuousClock.now
                while try sleepers() != [], ContinuousClock.now - begin < .seconds(7) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try sleepers() == [])
            }
            #expect(outcome.status == 130)
            #expect(outcome.messages.contains("again: killing the remaining processes"))
            let report = try await program.run(["report", "--format", "json"])
            #expect(report.output.contains("\"interrupted\""))
            #expect(report.output.contains("testWakes"))
        }

        @Test func `a signal before the tests leaves a run that says so`() async throws {
            let package = try TestFolder.package("Mixed")
            let home = program.folder.home
            // Nothing is built yet: a warm run would be over within the time that a busy machine takes to see its first file.
            let cold = Program(folder: program.folder, variables: ["XDG_CACHE_HOME": "\(program.folder.path)/cache"])
            let outcome = try await cold.run(["run", "--package-path", package]) { send in
                try await until(1, in: home, end: "build.log")
                try send(.interrupt)
            }
            #expect(outcome.status == 130)
            #expect(outcome.output.hasPrefix("? Undecided: interrupted: after"))
            #expect(!outcome.output.contains("more gap"))
            #expect(try await program.run(["history", "--json"]).output.contains("\"exitStatus\":4"))
            #expect(try await program.run(["db", "check"]).status == 0)
        }

        /// Waits until the observer has recorded the beginning of the test that sleeps, in so many processes.
        private func untilATestSleeps(in home: String, processes: Int = 1) async throws {
            try await until(processes, in: home, end: "observer.jsonl", with: "testSleeps")
        }

        /// Waits until so many files with this end of their name hold a text.
        private func until(_ count: Int, in home: String, end: String, with text: String = "") async throws {
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .seconds(180) {
                let names = (try? FileManager.default.subpathsOfDirectory(atPath: home)) ?? []
                let found = names.filter { name in
                    guard name.hasSuffix(end) else { return false }
                    if text.isEmpty { return true }
                    return ((try? String(contentsOfFile: "\(home)/\(name)", encoding: .utf8)) ?? "").contains(text)
                }
                if found.count >= count { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("there is no \(end) with \(text.debugDescription)")
        }

        /// Processes of a sample package that are still there.
        private func sleepers(_ binary: String = "SleepingPackageTests.xctest") throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
                guard Int(entry) != nil else { return false }
                let words = (try? String(contentsOfFile: "/proc/\(entry)/cmdline", encoding: .utf8)) ?? ""
                return words.contains(binary) && words.contains(TestFolder.sharedCache)
            }
        }
    }
}
