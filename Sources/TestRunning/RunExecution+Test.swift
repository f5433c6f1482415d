import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Lists the tests and runs them.
    mutating func test(_ built: TestInvocation, _ installation: ToolchainInstallation) async throws(RunnerError) {
        var invocation = built
        if request.engine == .direct, !FileManager.default.fileExists(atPath: invocation.testBinary) {
            throw .testBinaryNotFound(path: invocation.testBinary)
        }
        invocation.observer = await observer(installation)
        try await list(invocation)

        progress(.began(.test))
        let transcript = try TranscriptFile(path: files.transcript)
        let watcher = TestWatcher(transcript: transcript, files: files, progress: progress)
        let stray = StrayProfile(packageRoot: request.packageRoot)
        var duration = Duration.zero
        for command in invocation.test(request.engine) where !isCancelled {
            let outcome = try await step(
                .test, command, silence: request.limits.silence, mergesStreams: true, watcher
            )
            duration += outcome.duration
            if outcome.wasTimedOut {
                timedOut("the tests", outcome)
                break
            }
        }
        try stray.collect(into: files.profiles)
        noteWhatWasCut(try transcript.finish(), RunFiles.Name.transcript)
        progress(.ended(.test, duration))
    }

    private mutating func observer(_ installation: ToolchainInstallation) async -> ObserverLibrary? {
        let compiler = ObserverCompiler(
            installation: installation, cacheDirectory: request.cacheDirectory, environment: environment.variables,
            token: request.runID.description
        )
        do throws(ObserverUnavailable) {
            return try await compiler.library()
        } catch {
            notes.append(Note(.observerMissing, detail: error.detail))
            return nil
        }
    }

    /// Asks the binary for its tests, both libraries at once. A list that is none becomes a note.
    private mutating func list(_ invocation: TestInvocation) async throws(RunnerError) {
        progress(.began(.list))
        let commands = [invocation.listXCTest, invocation.listSwiftTesting]
        let limits = Supervision.Limits(run: min(.seconds(20), timeLeft), grace: .seconds(1))
        let captured = [CapturedOutput(), CapturedOutput(limit: 1 << 20)]
        async let first = ChildProcess(commands[0], limits: limits, mergesStreams: false).run(captured[0])
        async let second = ChildProcess(commands[1], limits: limits, mergesStreams: false).run(captured[1])
        let outcomes: [ChildOutcome]
        do {
            outcomes = [try await first, try await second]
        } catch {
            // The binary is not where SwiftPM's native build system puts it; `swift test` will find it.
            notes.append(Note(.listUnavailable, subject: invocation.testBinary, detail: "\(error)"))
            progress(.ended(.list, .zero))
            return
        }
        for (command, outcome) in zip(commands, outcomes) { record(.list, command, outcome) }
        // Whoever ends the run does not want to hear about lists.
        if isCancelled { return }
        let total = try keepXCTestList(captured[0], outcomes[0]) + keepSwiftTestingList(outcomes[1])
        progress(.discovered(total))
        progress(.ended(.list, outcomes.map(\.duration).max() ?? .zero))
    }

    private mutating func keepXCTestList(_ captured: CapturedOutput, _ outcome: ChildOutcome) throws(RunnerError) -> Int
    {
        guard outcome.termination.isSuccess, !captured.isCut, let count = TestLists.count(xctestList: captured.output)
        else {
            notes.append(Note(.listUnavailable, subject: "XCTest", detail: Self.whyNoList(outcome)))
            return 0
        }
        let output = captured.output
        try onFileSystem("write", files.xctestList) {
            try output.write(to: URL(filePath: files.xctestList), options: .withoutOverwriting)
        }
        return count
    }

    private mutating func keepSwiftTestingList(_ outcome: ChildOutcome) throws(RunnerError) -> Int {
        // 69 is its way to say that there are no such tests.
        if outcome.termination == .exited(69) {
            try removeIfPresent(files.swiftTestingList)
            return 0
        }
        let list = FileManager.default.contents(atPath: files.swiftTestingList)
        guard outcome.termination.isSuccess, let list, let count = TestLists.count(swiftTestingList: list) else {
            try removeIfPresent(files.swiftTestingList)
            notes.append(Note(.listUnavailable, subject: "Swift Testing", detail: Self.whyNoList(outcome)))
            return 0
        }
        return count
    }

    private static func whyNoList(_ outcome: ChildOutcome) -> String {
        if outcome.wasTimedOut { return "it ran on instead of listing its tests" }
        switch outcome.termination {
        case .exited(0): return "it printed something else than a list"
        case .exited(let status): return "it exited with status \(status)"
        case .signaled(let signal): return "signal \(signal) ended it"
        }
    }
}
