import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// The package's name and targets, which the caller may refuse and a change may narrow.
    mutating func describeChecked(_ tools: ToolPaths) async throws(RunnerError) -> PackageDescription {
        let package = try await describe(tools)
        do {
            try request.checkModules(package.modules)
        } catch {
            throw .refused(error)
        }
        if let change = request.tests.changedFiles { narrow(to: change, package.modules) }
        return package
    }

    /// What is known of a package that lacks what its scripts make: perhaps no target. That SwiftPM refuses it, or that the
    /// caller misses a target in it, is no surprise, and says nothing beside the script that failed.
    mutating func describeUnprepared(_ tools: ToolPaths) async -> PackageDescription {
        // Whoever cancels the run does not want to wait for SwiftPM.
        if !isCancelled, let package = try? await describeChecked(tools) { return package }
        let manifest = FileManager.default.contents(atPath: "\(request.package.root)/Package.swift")
        let name = manifest.flatMap { PackageManifest.literalName(in: String(decoding: $0, as: UTF8.self)) }
        return PackageDescription(name: name ?? (request.package.root as NSString).lastPathComponent, modules: [])
    }

    /// The package's name and targets: as SwiftPM told them before where nothing that they depend on changed, else as it
    /// does now.
    private mutating func describe(_ tools: ToolPaths) async throws(RunnerError) -> PackageDescription {
        let isEvaluated = await evaluateManifest(in: request.package.root, tools)
        let command = TestInvocation.describe(
            tools: tools, packageRoot: request.package.root, scratchPath: request.scratchPath,
            environment: environment.buildVariables, manifestMark: manifestMark, choice: request.options.build
        )
        let memory = PackageCache(
            scratchPath: request.scratchPath, packageRoot: request.package.root, command: command)
        let key = isEvaluated ? memory.key() : nil
        if let known = key.flatMap(memory.recall) { return known }
        progress(.began(.describe))
        let captured = CapturedOutput()
        let outcome = try await step(.describe, command, captured)
        progress(.ended(.describe, outcome.duration))
        if outcome.cause == .cancelled { throw .interrupted }
        if outcome.wasTimedOut { throw .manifestOverdue(after: outcome.duration) }
        guard outcome.termination.isSuccess else { throw .manifestInvalid(detail: captured.errorText) }
        let description = try PackageDescription(json: captured.output)
        if let key { memory.remember(captured.output, description, key: key) }
        return description
    }

    /// Builds the package and its tests with coverage; returns whether it worked.
    mutating func build(_ invocation: TestInvocation, _ modules: [Module]) async throws(RunnerError) -> Bool {
        try await choosingVersions { (run) throws(RunnerError) in try await run.buildProducts(invocation, modules) }
    }

    private mutating func buildProducts(
        _ invocation: TestInvocation, _ modules: [Module]
    ) async throws(RunnerError) -> Bool {
        let log = try TranscriptFile(path: files.buildLog)
        // From here on the products are not what the record says.
        try removeIfPresent("\(request.scratchPath)/\(BuiltProducts.fileName)")
        guard request.options.buildSystem == .native else { return try await buildBySwiftBuild(invocation, log) }
        var incremental = IncrementalBuild(
            invocation, modules, local: localPackages, around: request.package.repositoryTop, date: request.startedAt,
            clean: request.options.clean)
        try incremental.prepare()
        progress(.began(.build))
        var (outcome, duration) = try await buildUntilSettled(&incremental, invocation, log)
        if incremental.isCleanDue, outcome.cause == nil {
            let first = duration
            outcome = try await buildAnew(after: outcome, incremental, invocation, log)
            duration = first + outcome.duration
        }
        noteWhatWasCut(try log.finish(), RunFiles.Name.buildLog)
        if outcome.wasTimedOut { timedOut("the build", outcome) }
        guard outcome.termination.isSuccess, outcome.cause == nil else {
            progress(.buildFailed(duration))
            return false
        }
        progress(.ended(.build, duration))
        return true
    }

    /// Lets SwiftPM build until all products are up to date; returns how the last call ended, and how long all calls
    /// took.
    mutating func buildUntilSettled(
        _ incremental: inout IncrementalBuild, _ invocation: TestInvocation, _ log: TranscriptFile
    ) async throws(RunnerError) -> (ChildOutcome, Duration) {
        var (duration, rounds) = (Duration.zero, 0)
        while true {
            var outcome = try await step(
                .build, invocation.build, mergesStreams: true, BuildWatcher(log: log, progress: progress))
            rounds += 1
            duration += outcome.duration
            outcome.duration = duration
            // Also after a failure: the next build begins with what this one leaves.
            let isStale = try incremental.settle()
            if outcome.termination.isSuccess, outcome.cause == nil { noteUnread(incremental) }
            guard isStale, outcome.cause == nil else { return (outcome, duration) }
            guard rounds < Self.mostRounds else {
                guard outcome.termination.isSuccess else { return (outcome, duration) }
                gaps.append(
                    Gap(
                        .staleBuild,
                        detail: "objects are older than what they were compiled with after \(rounds) builds"))
                return (outcome, duration)
            }
            // What was compiled before may not link with what is compiled now. That says nothing about the sources.
            if !outcome.termination.isSuccess {
                forgetLastStep()
                log.clear()
            }
        }
    }

    /// What nobody can check is not known to be what a clean build makes.
    private mutating func noteUnread(_ incremental: IncrementalBuild) {
        guard let reason = incremental.unread else { return }
        let gap = Gap(.staleBuild, detail: "nobody can say what the build made again: \(reason)")
        if !gaps.contains(gap) { gaps.append(gap) }
    }

    /// How often SwiftPM is called at most until all objects are made of what is there: more often than modules were ever seen to
    /// change each other.
    private static let mostRounds = 5

    /// Notes that an output was too long to be kept whole.
    mutating func noteWhatWasCut(_ dropped: Int, _ name: String) {
        guard dropped > 0 else { return }
        notes.append(Note(.outputLost, subject: name, detail: "\(dropped) bytes in the middle were dropped"))
    }

    /// Records that a time limit ended a step.
    mutating func timedOut(_ what: String, _ outcome: ChildOutcome) {
        let reason =
            outcome.cause == .silent
            ? "gave no sign of life for \(Self.seconds(request.options.limits.silence))"
            : "had not ended \(Self.seconds(request.options.limits.run)) after the beginning of the run"
        let gap = Gap(.timedOut, detail: "\(what) \(reason)")
        if !gaps.contains(gap) { gaps.append(gap) }
    }
}
