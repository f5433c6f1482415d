import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

/// When a run repeats new and changed tests, and what becomes of it where they cannot be repeated.
@Suite struct ProvingTests {
    private let folder: TemporaryFolder
    private let writer: RunDirectory.Writer

    init() throws {
        folder = try TemporaryFolder()
        writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/1")
    }

    private static func test(_ name: String) -> TestID { TestID(module: "CoreTests", suite: "A", name: name) }

    /// A run behind its tests, of which nothing has been written down yet.
    ///
    /// - Parameters:
    ///   - names: The tests.
    ///   - chosen: Those that are new.
    private func execution(
        _ names: [String] = ["one", "two"], chosen: [String], isDemanded: Bool = false,
        deadline: SuspendingClock.Instant? = nil
    ) throws -> RunExecution {
        let new = Set(chosen.map(Self.test))
        var request = RunRequest(
            package: TestedPackage(root: folder.path, project: "sample"), options: RunOptions(engine: .swiftTest),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/1",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: [:])
        request.probation = ProbationRequest(
            StressRequest(runs: 2, budget: .seconds(30), seed: 7), base: "0a", isDemanded: isDemanded, excused: [],
            deadline: deadline,
            choose: { _, tests in tests.filter(new.contains).map { Probation.Entry(test: $0, reason: .new) } },
            file: { probation in
                (try? JSONEncoder().encode(probation)).map {
                    GivenFile(role: .probation, fileName: "probation.json", bytes: $0)
                }
            })
        var execution = try RunExecution(request, writer, { _ in })
        let invocation = TestInvocation(
            tools: ToolPaths(directory: "/none"), packageRoot: folder.path, scratchPath: "\(folder.path)/scratch",
            package: "Kit", environment: [:], files: execution.files)
        let entries = names.map(Self.test).map { test in
            DiscoveredTests.Entry(id: test, library: .xctest, name: "\(test)")
        }
        let subject = RunExecution.Subject(
            package: PackageDescription(name: "Kit", modules: []),
            toolchain: Toolchain(swiftVersion: "Swift 6.3.1", llvmVersion: "21", target: "x"))
        execution.tested = RunExecution.Tested(
            invocation: invocation, discovered: DiscoveredTests(entries: entries), subject: subject, main: nil)
        return execution
    }

    /// Notes down a pass of all tests that ended with a status.
    private func record(_ status: Int32, in execution: inout RunExecution) {
        let number = execution.open(TestPass(reason: .first))
        execution.record(
            .test,
            ChildCommand(
                executable: "/none/swift", arguments: ["test"], environment: [:], workingDirectory: folder.path),
            ChildOutcome(termination: .exited(status), duration: .seconds(1), cause: nil, leaked: []))
        execution.close(number, steps: 0..<1, nil)
    }

    /// Writes what the tests of the pass told of themselves.
    private func write(_ names: [String], failing: Set<String> = []) throws {
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: try writer.location(of: name)))
        }
        let listed = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        try write(
            #"{"tests":[{"name":"debug.xctest","tests":[{"tests":[\#(listed)],"name":"CoreTests.A"}]}]}"#,
            to: "xctest-list.json")
        try write(
            #"{"kind":"event","payload":{"kind":"runStarted"},"version":"6.3.0"}"# + "\n"
                + #"{"kind":"event","payload":{"kind":"runEnded"},"version":"6.3.0"}"# + "\n",
            to: "swift-testing-list.jsonl")
        var lines = [#"{"ev":"bundleStart","t":1,"name":"b"}"#]
        for name in names {
            let count = failing.contains(name) ? 1 : 0
            lines.append(#"{"ev":"start","t":1,"cls":"CoreTests.A","name":"\#(name)"}"#)
            if count > 0 {
                lines.append(
                    #"{"ev":"fail","t":1,"cls":"CoreTests.A","name":"\#(name)","desc":"no","file":"x","line":3}"#)
            }
            lines.append(
                #"{"ev":"end","t":1,"cls":"CoreTests.A","name":"\#(name)","dur":0.5,"#
                    + #""skipped":false,"failures":\#(count),"unexpected":0}"#)
        }
        lines.append(#"{"ev":"bundleEnd","t":1,"name":"b"}"#)
        try write(lines.joined(separator: "\n") + "\n", to: "observer.jsonl")
    }

    /// What the run keeps of it.
    private func kept(_ execution: RunExecution) throws -> Probation? {
        try execution.probationFile.map { try JSONDecoder().decode(Probation.self, from: $0.bytes) }
    }

    private func probation(
        _ names: [String] = [], budget: Duration = .seconds(30), isCutShort: Bool = false
    ) -> Probation {
        Probation(
            base: "0a", runs: 2, budget: budget, seed: 7,
            entries: names.map { Probation.Entry(test: Self.test($0), reason: .new) }, isCutShort: isCutShort)
    }

    @Test func `where no test is new nothing is read, and it is said only where that is demanded`() async throws {
        // There is no evidence that could be read.
        for isDemanded in [false, true] {
            var execution = try execution(chosen: [], isDemanded: isDemanded)
            record(0, in: &execution)
            await execution.proveTests()
            #expect(try kept(execution) == (isDemanded ? probation() : nil))
            #expect(execution.gaps == [])
        }
    }

    @Test func `where a test failed nothing is repeated`() async throws {
        try write(["one", "two"], failing: ["two"])
        for chosen in [[], ["one"]] {
            var execution = try execution(chosen: chosen, isDemanded: true)
            record(1, in: &execution)
            await execution.proveTests()
            #expect(try kept(execution) == nil)
        }
    }

    @Test func `whoever waits for the run does not wait for its new tests, whether or not one hangs`() async throws {
        try write(["one", "two"])
        // As long as a test may take to end that is asked to.
        var execution = try execution(chosen: ["two"], deadline: SuspendingClock.now + .seconds(11))
        record(0, in: &execution)
        await execution.proveTests()
        #expect(try kept(execution) == probation(["two"], budget: .zero, isCutShort: true))
        #expect(execution.passes.count == 1)
    }

    @Test func `what cannot be repeated is told, and is no fault of the run`() async throws {
        try write(["one", "two"])
        var execution = try execution(chosen: ["one"])
        record(0, in: &execution)
        await execution.proveTests()
        var found = try #require(try kept(execution))
        #expect(found.obstacle?.contains("/none/") == true, "\(found)")
        found.obstacle = nil
        #expect(found == probation(["one"], isCutShort: true))
        #expect(execution.gaps == [])
        #expect(execution.passes.count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: writer.path)
        #expect(!files.contains { $0.hasPrefix("pass-") })
    }

    @Test func `of more tests than may be listed the rest is counted`() async throws {
        let names = (0..<1_002).map { "test\(10_000 + $0)" }
        try write(names)
        var execution = try execution(names, chosen: names, deadline: SuspendingClock.now)
        record(0, in: &execution)
        await execution.proveTests()
        let found = try #require(try kept(execution))
        #expect(found.entries.map(\.test.name) == Array(names.prefix(1_000)))
        #expect(found.unlisted == 2)
    }

    @Test func `a shard repeats what falls to it, and one to which nothing falls says so`() async throws {
        var empty = try execution(chosen: ["one"], isDemanded: true)
        empty.selection.shard = Shard(index: 1, count: 2)
        empty.open(TestPass(reason: .first, tests: []))
        empty.gaps = [Gap(.noTests, detail: "none of 2 tests was asked for")]
        await empty.proveTests()
        #expect(try kept(empty) == probation())
        empty.probationFile = nil
        empty.gaps.append(Gap(.timedOut, detail: "the build"))
        await empty.proveTests()
        #expect(try kept(empty) == nil)

        try write(["two"])
        var half = try execution(chosen: ["one", "two"], isDemanded: true, deadline: SuspendingClock.now)
        half.selection.shard = Shard(index: 2, count: 2)
        record(0, in: &half)
        await half.proveTests()
        #expect(try kept(half)?.entries.map(\.test.name) == ["two"])
        #expect(try kept(half)?.unlisted == 0)

        var part = try execution(chosen: ["two"], isDemanded: true, deadline: SuspendingClock.now)
        part.selection.filters = ["two"]
        record(0, in: &part)
        await part.proveTests()
        #expect(try kept(part) == nil)
    }
}
