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
        let command = TestInvocation.describe(
            tools: tools, packageRoot: request.package.root, scratchPath: request.scratchPath,
            environment: environment.buildVariables
        )
        let memory = PackageCache(
            scratchPath: request.scratchPath, packageRoot: request.package.root, command: command)
        let key = memory.key()
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

    /// Builds the package and its tests with coverage, unless nothing is to be built; answers whether it worked.
    mutating func build(_ invocation: TestInvocation, _ modules: [Module]) async throws(RunnerError) -> Bool {
        try await choosingVersions { (run) throws(RunnerError) in try await run.buildProducts(invocation, modules) }
    }

    private mutating func buildProducts(
        _ invocation: TestInvocation, _ modules: [Module]
    ) async throws(RunnerError) -> Bool {
        let memory = BuildRecord(invocation, modules)
        let inputs = memory.inputs()
        let log = try TranscriptFile(path: files.buildLog)
        if let inputs, memory.isUpToDate(inputs) {
            progress(.upToDate)
            Array("nothing to build: nothing that the last build read or wrote has changed\n".utf8)
                .withUnsafeBytes { log.append($0) }
            _ = try log.finish()
            return true
        }
        let begin = FileStamp(files.buildLog)
        // From here on the products are not what the records say.
        try memory.forget()
        try removeIfPresent("\(request.scratchPath)/\(BuiltProducts.fileName)")
        let leftovers = BuildLeftovers(invocation, modules, local: localPackages)
        try leftovers.prepareBuild()
        progress(.began(.build))
        func buildOnce(_ run: inout RunExecution) async throws(RunnerError) -> ChildOutcome {
            try await run.step(
                .build, invocation.build, mergesStreams: true, BuildWatcher(log: log, progress: run.progress))
        }
        var outcome = try await buildOnce(&self)
        if outcome.termination.isSuccess, outcome.cause == nil, try leftovers.removeAfterBuild() {
            let first = outcome.duration
            outcome = try await buildOnce(&self)
            outcome.duration += first
        }
        noteWhatWasCut(try log.finish(), RunFiles.Name.buildLog)
        if outcome.wasTimedOut { timedOut("the build", outcome) }
        guard outcome.termination.isSuccess, outcome.cause == nil else {
            progress(.buildFailed(outcome.duration))
            return false
        }
        progress(.ended(.build, outcome.duration))
        // The log was made before the build and has its last words: its times are those of the clock of files.
        if let inputs, let begin, let end = FileStamp(files.buildLog) {
            memory.remember(inputs, from: begin.changed, until: end.changed)
        }
        return true
    }

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
