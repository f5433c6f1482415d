import Evidence
import Foundation
import RunModel
import TestResults
import TestRunning
import TestSupport
import Testing

/// Real builds of the packages in `Tests/Packages`, one after the other: two builds at once only slow each other down.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct SamplePackageTests {
    @Test(arguments: [Engine.swiftTest, .direct])
    func `a package that passes leaves every kind of evidence`(engine: Engine) async throws {
        let run = try await SampleRun("Mixed", engine: engine)
        #expect(
            run.steps == ["build 0", "list 0", "list 0"]
                + (engine == .direct ? ["test 0", "test 0"] : ["test 0"]) + ["demangle 0"]
        )
        #expect(run.manifest.gaps == [])
        #expect(run.manifest.notes == [])
        #expect(run.manifest.modulesWithoutObjects == [])
        #expect(
            run.roles == [
                .policy, .buildLog, .transcript, .observerRecords, .eventStream, .xunit, .xctestList, .swiftTestingList,
                .coverageExport, .functionNames, .testMap,
            ]
        )
        #expect(
            run.manifest.modules.map { "\($0.kind) \($0.name)" } == [
                "library Greeting", "test GreetingTests", "library Unlinked", "executable greet-tool",
            ]
        )
        #expect(
            run.manifest.sources.map(\.path) == [
                "Sources/Greeting/Greeting.swift", "Sources/Unlinked/Unlinked.swift", "Sources/greet-tool/main.swift",
                "Tests/GreetingTests/ClassicTests.swift", "Tests/GreetingTests/ModernTests.swift",
            ]
        )
        #expect(
            try run.observed() == [
                "start GreetingTests.ClassicTests.testEmpty", "end GreetingTests.ClassicTests.testEmpty",
                "start GreetingTests.ClassicTests.test_正常系_名前がある", "end GreetingTests.ClassicTests.test_正常系_名前がある",
                "start GreetingTests.ClassicTests.test_絵文字👩‍👩‍👧‍👦_が通る",
                "end GreetingTests.ClassicTests.test_絵文字👩‍👩‍👧‍👦_が通る",
            ]
        )
        let raw = "GreetingTests.ModernTests/`a name \"in quotes\" <&> is greeted`()/ModernTests.swift:5:6"
        let events = try run.events()
        #expect(events.isSuperset(of: ["testStarted \(raw)", "testEnded \(raw)", "runEnded "]))
        #expect(events.count == 12)
        #expect(try run.coverage() == ["Greeting.swift": [9, 9], "Unlinked.swift": [0, 3], "main.swift": [0, 1]])
        // What the process need not read back is what anybody else reads.
        let directory = RunDirectory(path: run.directory)
        #expect(try run.manifest == directory.manifest())
        #expect(try TestRun.read(from: run.written) == TestRun.read(from: directory))
    }

    @Test(.enabled(if: IsolationSupport.probe().refusal(of: .pidNamespace) == nil))
    func `a run in a namespace leaves what a run without one leaves, and says so`() async throws {
        let isolated = try await SampleRun("Mixed", isolation: .exactly(.pidNamespace))
        let plain = try await SampleRun("Mixed")
        #expect(isolated.manifest.isolation == .pidNamespace)
        #expect(plain.manifest.isolation == nil)
        #expect(isolated.steps == plain.steps)
        #expect(isolated.roles == plain.roles)
        #expect(isolated.manifest.notes == [])
        #expect(try isolated.observed() == plain.observed())
        #expect(try isolated.events() == plain.events())
        #expect(try isolated.coverage() == plain.coverage())
    }

    @Test(arguments: [Engine.swiftTest, .direct])
    func `failures of both libraries are recorded, and so is coverage`(engine: Engine) async throws {
        let run = try await SampleRun("Failing", engine: engine)
        #expect(
            run.steps == ["build 0", "list 0", "list 0"]
                + (engine == .direct ? ["test 1", "test 1"] : ["test 1"]) + ["demangle 0"]
        )
        #expect(run.manifest.gaps == [])
        #expect(run.manifest.notes == [])
        #expect(
            try run.observed() == [
                "start GreetingTests.ClassicTests.testFails",
                "fail GreetingTests.ClassicTests.testFails 6 "
                    + "XCTAssertEqual failed: (\"Hello, a!\") is not equal to (\"Hello, b!\") - wrong name",
                "end GreetingTests.ClassicTests.testFails",
                "start GreetingTests.ClassicTests.testPasses", "end GreetingTests.ClassicTests.testPasses",
                "start GreetingTests.ClassicTests.testSkips", "end GreetingTests.ClassicTests.testSkips skipped",
            ]
        )
        #expect(
            try run.events().isSuperset(of: [
                "issueRecorded GreetingTests.ModernTests/fails()/ModernTests.swift:5:6",
                "issueRecorded GreetingTests.ModernTests/hasKnownIssue()/ModernTests.swift:9:6",
                "testSkipped GreetingTests.ModernTests/skips()/ModernTests.swift:15:6",
            ])
        )
        #expect(try run.coverage() == ["Greeting.swift": [8, 9]])
    }

    @Test func `a crash shows as a start without an end, and the other library still runs`() async throws {
        let run = try await SampleRun("Crashing")
        #expect(
            run.steps == [
                "build 0", "list 0", "list 0", "test 1", "test 0", "demangle 0",
            ])
        #expect(run.manifest.gaps == [])
        #expect(run.manifest.passes?.map(\.reason) == [.first, .recovery])
        #expect(run.manifest.passes?.last?.tests?.map(\.name) == ["testC_after"])
        #expect(
            try run.observed() == [
                "start GreetingTests.ClassicTests.testA_before", "end GreetingTests.ClassicTests.testA_before",
                "start GreetingTests.ClassicTests.testB_crashes",
            ]
        )
        #expect(try run.events().contains("testEnded GreetingTests.stillRuns()/ModernTests.swift:4:2"))
        #expect(try run.text("transcript.log").contains("down it goes"))
    }

    @Test func `a build that fails is the last step, and its log is kept`() async throws {
        let run = try await SampleRun("BrokenBuild")
        #expect(run.steps == ["build 1"])
        #expect(run.roles == [.policy, .buildLog])
        #expect(run.manifest.gaps == [])
        #expect(try run.text("build.log").contains("Greeting.swift:2:5: error: "))
    }

    @Test func `a package without tests is a gap`() async throws {
        let run = try await SampleRun("NoTests")
        #expect(run.steps == ["build 0"])
        #expect(run.manifest.gaps == [Gap(.noTests, detail: "the package has no test target")])
    }

    @Test(arguments: [Engine.swiftTest, .direct])
    func `a shard that no test falls to says so, and nothing else`(engine: Engine) async throws {
        // Of six tests four fall to the first of three shards, and two to the third.
        let run = try await SampleRun("Mixed", engine: engine, selection: Selection(shard: Shard(index: 2, count: 3)))
        #expect(run.manifest.passes == [TestPass(reason: .first, tests: [])])
        let read = try TestRun.read(from: RunDirectory(path: run.directory))
        #expect(read.tests == [])
        #expect(read.gaps == [Gap(.noTests, detail: "none of 6 tests was asked for: shard 2/3")])
    }

    @Test func `scripts after the tests run also when one before the build takes all the time there is`() async throws {
        // So that SwiftPM need not be asked for the package in so short a time.
        _ = try await SampleRun("NoTests")
        let run = try await SampleRun(
            "NoTests", limits: RunLimits(run: .seconds(6), grace: .seconds(1)),
            before: [RunScript(words: ["sleep", "600"])],
            after: [RunScript(words: ["sh", "-c", "sleep 1; echo swept"])])
        #expect(run.steps == ["before signal 15", "after 0"])
        #expect(run.manifest.gaps.map(\.code) == [.beforeFailed])
        #expect(run.manifest.notes == [])
        #expect(try run.text("after.log") == "swept\n")
    }

    @Test func `what the caller knows reaches the manifest`() async throws {
        let note = Note(.reportRepaired, subject: "tree", detail: "known before the run")
        let run = try await SampleRun("NoTests", notes: [note])
        #expect(run.manifest.notes == [note])
    }

    @Test func `targets that the caller refuses are not built, and nothing is kept`() async throws {
        let refusal = ModuleRefusal(reason: "no floor for Greeting", hint: "write one")
        await #expect(throws: RunnerError.refused(refusal)) {
            _ = try await SampleRun("NoTests") { (modules) throws(ModuleRefusal) in
                if modules.map(\.name) == ["Greeting"] { throw refusal }
            }
        }
    }

    @Test func `low coverage is recorded as it is`() async throws {
        let run = try await SampleRun("LowCoverage", extraEnvironment: ["GREETING=hello"])
        #expect(run.manifest.gaps == [])
        #expect(try run.coverage() == ["Greeting.swift": [7, 12]])
    }

    @Test func `a folder without a manifest is refused`() async throws {
        let folder = try TemporaryFolder()
        let request = RunRequest(
            package: TestedPackage(root: folder.path, project: "p"), scratchPath: "\(folder.path)/build",
            runDirectory: "\(folder.path)/run", cacheDirectory: folder.path, runID: SampleRuns.id(1),
            startedAt: SampleRuns.moment, arguments: [], kanmonVersion: "test",
            parentEnvironment: ProcessInfo.processInfo.environment
        )
        await #expect(throws: RunnerError.packageNotFound(path: folder.path)) {
            _ = try await TestRunner().run(request) { _ in }
        }
    }

    @Test func `a manifest that does not compile is reported with SwiftPM's message`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("// swift-tools-version: 6.0\nlet x: Int = \"", to: "Package.swift")
        let request = RunRequest(
            package: TestedPackage(root: folder.path, project: "p"), scratchPath: "\(folder.path)/build",
            runDirectory: "\(folder.path)/run", cacheDirectory: folder.path, runID: SampleRuns.id(1),
            startedAt: SampleRuns.moment, arguments: [], kanmonVersion: "test",
            parentEnvironment: ProcessInfo.processInfo.environment
        )
        do {
            _ = try await TestRunner().run(request) { _ in }
            Issue.record("the manifest cannot be valid")
        } catch {
            guard case .manifestInvalid(let detail) = error else { throw error }
            #expect(detail.contains("Package.swift:2:14: error: unterminated string literal"))
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/.run.partial"))
    }
}
