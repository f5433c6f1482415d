import Foundation
import RunModel
import TestResults

// Swift Build makes a library and a runner for each test target, and not one program with all tests.

extension RunExecution {
    /// Builds with Swift Build, always from nothing: what its earlier builds have left is not looked into.
    mutating func buildBySwiftBuild(
        _ invocation: TestInvocation, _ log: TranscriptFile
    ) async throws(RunnerError) -> Bool {
        progress(.began(.build))
        var outcome = try await buildByPreview(invocation, log)
        var (duration, builds) = (outcome.duration, 1)
        // It says nothing about the package, and the next one begins with nothing as well.
        while case .signaled(let signal) = outcome.termination, outcome.cause == nil, builds < Self.mostBuilds {
            let note = Note(
                .buildSystemFailed, subject: BuildSystem.swiftbuild.rawValue,
                detail: "signal \(signal) ended Swift Build, which was started again")
            if !notes.contains(note) { notes.append(note) }
            forgetLastStep()
            log.clear()
            outcome = try await buildByPreview(invocation, log)
            duration += outcome.duration
            builds += 1
        }
        outcome.duration = duration
        noteWhatWasCut(try log.finish(), RunFiles.Name.buildLog)
        if outcome.wasTimedOut { timedOut("the build", outcome) }
        guard outcome.termination.isSuccess, outcome.cause == nil else {
            if outcome.cause == nil, let reason = whySwiftBuildFailed(outcome) {
                gaps.append(Gap(.buildSystemFailed, subject: BuildSystem.swiftbuild.rawValue, detail: reason))
            }
            progress(.buildFailed(outcome.duration))
            return false
        }
        progress(.ended(.build, outcome.duration))
        return true
    }

    /// How often a build is made that a signal ends: Swift 6.3.1 has been seen to crash in one build of ten.
    private static let mostBuilds = 3

    private mutating func buildByPreview(
        _ invocation: TestInvocation, _ log: TranscriptFile
    ) async throws(RunnerError) -> ChildOutcome {
        try removeIfPresent("\(request.scratchPath)/out")
        return try await step(
            .build, invocation.build, mergesStreams: true, BuildWatcher(log: log, progress: progress))
    }

    /// Why Swift Build itself failed, and not what it built; `nil` where it names an error of a source or of the package.
    private func whySwiftBuildFailed(_ outcome: ChildOutcome) -> String? {
        if case .signaled(let signal) = outcome.termination { return "signal \(signal) ended Swift Build" }
        let log = FileManager.default.contents(atPath: files.buildLog) ?? Data()
        return SwiftBuildLog(String(decoding: log, as: UTF8.self)).failure
    }

    /// Finds what Swift Build has made, and says which test targets have no runner; `nil` where SwiftPM's own build system built.
    mutating func findProducts(
        of package: PackageDescription, _ invocation: TestInvocation
    ) async throws(RunnerError) -> BuiltFolder? {
        guard request.options.buildSystem == .swiftbuild else { return nil }
        let captured = CapturedOutput(limit: 1 << 16)
        let outcome = try await step(.describe, invocation.findProducts, captured)
        let lines = String(decoding: captured.output, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard outcome.termination.isSuccess, let path = lines.last(where: { $0.hasPrefix("/") }) else {
            if !isCancelled {
                let said = captured.errorText.trimmingCharacters(in: .whitespacesAndNewlines)
                gaps.append(
                    Gap(.testsNotRun, detail: "SwiftPM does not say where its products are: \(said.prefix(500))"))
            }
            return BuiltFolder(path: "", modules: [])
        }
        let found = BuiltFolder(path: String(path), modules: package.modules)
        for name in found.missing where !selection.disabledTargets.contains(where: { Name($0) == Name(name) }) {
            gaps.append(
                Gap(
                    .testsNotRun, subject: name,
                    detail: "Swift Build made no \(name)\(TestProgram.runnerSuffix) with a library beside it"))
        }
        return found
    }
}
