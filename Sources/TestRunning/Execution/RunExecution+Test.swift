import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Lists the tests and runs them: all that were asked for, then what a crash or a time limit left behind, then what
    /// failed, as often as that is allowed.
    mutating func test(
        _ built: TestInvocation,
        _ installation: ToolchainInstallation,
        _ subject: Subject
    ) async throws(RunnerError) {
        var invocation = built
        if !measuresCoverage { invocation.isProfiled = false }
        if engine == .direct, !FileManager.default.fileExists(atPath: invocation.testBinary) {
            guard request.engine != .direct else { throw .testBinaryNotFound(path: invocation.testBinary) }
            engine = request.engine
        }
        invocation.observer = await observer(installation)
        let discovered = try await list(invocation)
        let plans = try firstPlans(discovered, subject.package.modules)
        guard !plans.isEmpty, !isCancelled else { return }

        progress(.began(.test))
        let stray = StrayProfile(packageRoot: request.packageRoot)
        let firstStep = steps.count
        var queue = PassQueue(plans, discovered: discovered, retries: request.retries)
        while !isCancelled, timeLeft > .zero, let plan = queue.next() {
            let isComplete = try await run(plan, invocation, expecting: plan.tests?.count ?? discovered?.entries.count)
            guard !isComplete, discovered != nil else { continue }
            queue.take(try report(subject), of: plan)
        }
        try stray.collect(into: files.profiles)
        progress(.ended(.test, steps[firstStep...].reduce(.zero) { $0 + $1.duration }))
    }

    /// Leaves out the test targets that a change cannot break, and notes each.
    mutating func narrow(to change: ChangedFiles, _ modules: [Module]) {
        switch AffectedTests(of: change, in: modules) {
        case .all(let reason): progress(.chose("all test targets: \(reason)"))
        case .some(let targets):
            selection.targets = targets
            engine = request.affectedEngine ?? engine
            measuresCoverage = false
            progress(.chose("test targets that depend on what changed: \(targets.joined(separator: ", "))"))
            let others = modules.map(\.name).filter { name in
                modules.contains { $0.name == name && $0.kind == .test } && !targets.contains(name)
            }
            notes += others.map { name in
                Note(.targetNotAffected, subject: name, detail: "not run: nothing that it depends on changed")
            }
        }
    }

    /// What to begin with; nothing when there is a reason not to begin, which is noted.
    private mutating func firstPlans(
        _ discovered: DiscoveredTests?,
        _ modules: [Module]
    ) throws(RunnerError) -> [PassPlan] {
        guard selection != Selection() else { return [PassPlan(reason: .first)] }
        guard let discovered else {
            gaps.append(Gap(.listUnavailable, detail: "the tests to choose from were not listed"))
            return []
        }
        let selector = try TestSelector(
            selection, modules: modules, rerun: request.rerun, split: request.split)
        guard let chosen = selector.select(discovered) else { return [PassPlan(reason: .first)] }
        if chosen.isEmpty {
            let words = selection.words.joined(separator: ", ")
            gaps.append(Gap(.noTests, detail: "none of \(discovered.entries.count) tests was asked for: \(words)"))
            // A shard that no test falls to: a pass of nothing, and not tests that were to run and did not.
            record(TestPass(reason: .first, tests: []), from: steps.count)
        }
        progress(.discovered(chosen.count))
        return PassPlan.plans(.first, chosen)
    }

    /// Runs one pass; answers whether every test of it came to its end and none failed.
    private mutating func run(
        _ plan: PassPlan,
        _ built: TestInvocation,
        expecting count: Int?
    ) async throws(RunnerError) -> Bool {
        var invocation = built
        let folder = passes.isEmpty ? nil : "pass-\(passes.count + 1)"
        invocation.files.passFolder = folder
        if let folder { try makeDirectory("\(files.evidence)/\(folder)") }
        let firstStep = steps.count
        let transcript = try TranscriptFile(path: invocation.files.transcript)
        let watcher = TestWatcher(
            transcript: transcript, files: invocation.files, testLimit: request.limits.test, progress: progress
        )
        var pass = TestPass(reason: plan.reason, tests: plan.tests?.map(\.id), folder: folder)
        var isSuccess = true
        for command in invocation.test(engine, plan) where !isCancelled && pass.diagnosis == nil {
            let outcome = try await step(
                .test, command, silence: request.limits.silence, diagnosis: Self.timeToTell, mergesStreams: true,
                watcher
            )
            pass.diagnosis = diagnosis(of: outcome, watcher)
            // Swift Testing's own status for "no tests".
            isSuccess = isSuccess && (outcome.termination.isSuccess || outcome.termination == .exited(69))
        }
        noteWhatWasCut(try transcript.finish(), (folder.map { "\($0)/" } ?? "") + RunFiles.Name.transcript)
        record(pass, from: firstStep)
        return isSuccess && pass.diagnosis == nil && watcher.ended == count
    }

    /// What Evidence makes of the last pass.
    private func report(_ subject: Subject) throws(RunnerError) -> PassReport {
        let pass = passes[passes.count - 1]
        let manifest = manifest(of: subject, artifacts: try evidence(of: pass), sources: [])
        return try keeping { () throws(EvidenceError) in
            try PassReport(of: passes.count - 1, manifest: manifest, in: RunDirectory(path: writer.path))
        }
    }

    /// How long the Swift runtime may take to print where each thread is.
    private static let timeToTell = Duration.seconds(5)

    private mutating func diagnosis(of outcome: ChildOutcome, _ watcher: TestWatcher) -> Diagnosis? {
        let (cause, limit): (Diagnosis.Cause, Duration)
        switch outcome.cause {
        case .overdue:
            (cause, limit) = (.run, request.limits.run)
            // What has not begun by now never will.
            timedOut("the tests", outcome)
        case .silent: (cause, limit) = (.silence, request.limits.silence)
        case .testOverdue: (cause, limit) = (.test, request.limits.test)
        case .cancelled, nil: return nil
        }
        return Diagnosis(cause: cause, limit: limit, running: watcher.running, processes: outcome.processes)
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

    /// Asks the binary for its tests, both libraries at once. A list that is none becomes a note, and the answer is `nil`.
    private mutating func list(_ invocation: TestInvocation) async throws(RunnerError) -> DiscoveredTests? {
        progress(.began(.list))
        let commands = [invocation.listXCTest, invocation.listSwiftTesting]
        let limits = Supervision.Limits(run: min(.seconds(20), timeLeft), grace: .seconds(1))
        let captured = [CapturedOutput(), CapturedOutput(limit: 1 << 20)]
        let processes = commands.map {
            ChildProcess($0, limits: limits, mergesStreams: false, isolation: isolation)
        }
        async let first = processes[0].run(captured[0])
        async let second = processes[1].run(captured[1])
        let outcomes: [ChildOutcome]
        do {
            outcomes = [try await first, try await second]
        } catch {
            // The binary is not where SwiftPM's native build system puts it; `swift test` will find it.
            notes.append(Note(.listUnavailable, subject: invocation.testBinary, detail: "\(error)"))
            progress(.ended(.list, .zero))
            return nil
        }
        for (command, outcome) in zip(commands, outcomes) { record(.list, command, outcome) }
        // Whoever ends the run does not want to hear about lists.
        if isCancelled { return nil }
        let xctest = try keepXCTestList(captured[0], outcomes[0])
        let swiftTesting = try keepSwiftTestingList(outcomes[1])
        progress(.discovered((xctest?.entries.count ?? 0) + (swiftTesting?.entries.count ?? 0)))
        progress(.ended(.list, outcomes.map(\.duration).max() ?? .zero))
        guard let xctest, let swiftTesting else { return nil }
        return xctest + swiftTesting
    }

    private mutating func keepXCTestList(
        _ captured: CapturedOutput,
        _ outcome: ChildOutcome
    ) throws(RunnerError) -> DiscoveredTests? {
        let output = captured.output
        guard outcome.termination.isSuccess, !captured.isCut,
            let list = try? DiscoveredTests(xctestList: Array(output), swiftTestingList: nil)
        else {
            notes.append(Note(.listUnavailable, subject: "XCTest", detail: Self.whyNoList(outcome)))
            return nil
        }
        try onFileSystem("write", files.xctestList) {
            try output.write(to: URL(filePath: files.xctestList), options: .withoutOverwriting)
        }
        return list
    }

    private mutating func keepSwiftTestingList(_ outcome: ChildOutcome) throws(RunnerError) -> DiscoveredTests? {
        // 69 is its way to say that there are no such tests.
        if outcome.termination == .exited(69) {
            try removeIfPresent(files.swiftTestingList)
            return DiscoveredTests()
        }
        let bytes = FileManager.default.contents(atPath: files.swiftTestingList)
        guard outcome.termination.isSuccess, let bytes,
            let list = try? DiscoveredTests(xctestList: nil, swiftTestingList: Array(bytes))
        else {
            try removeIfPresent(files.swiftTestingList)
            notes.append(Note(.listUnavailable, subject: "Swift Testing", detail: Self.whyNoList(outcome)))
            return nil
        }
        return list
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
