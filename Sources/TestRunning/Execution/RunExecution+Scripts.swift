import Foundation
import RunModel

extension RunExecution {
    /// Calls `body` between the scripts before the build and those after the tests, which always run.
    ///
    /// - Parameter body: Gets whether all scripts before the build succeeded. SwiftPM is asked for the targets only
    ///   then, because scripts may generate parts of them.
    mutating func amongScripts<Value: Sendable>(
        _ body: (inout RunExecution, Bool) async throws(RunnerError) -> Value
    ) async throws(RunnerError) -> Value {
        let value: Value
        do throws(RunnerError) {
            let isPrepared = try await runBefore()
            value = try await body(&self, isPrepared)
        } catch {
            // The error that ended the run is the one to report.
            try? await runAfter()
            throw error
        }
        try await runAfter()
        return value
    }

    /// Runs the scripts before the build; returns whether all succeeded and the run was not cancelled.
    private mutating func runBefore() async throws(RunnerError) -> Bool {
        guard let failure = try await run(request.options.before, .before, RunFiles.Name.beforeLog) else {
            return request.options.before.isEmpty || !isCancelled
        }
        gaps.append(Gap(.beforeFailed, subject: failure.script, detail: failure.reason))
        return false
    }

    /// Runs the scripts after the tests. They clean up, so they run even if one fails or the time limit of the run is
    /// over. They do not run if the run was cancelled.
    private mutating func runAfter() async throws(RunnerError) {
        guard let failure = try await run(request.options.after, .after, RunFiles.Name.afterLog) else { return }
        notes.append(Note(.afterFailed, subject: failure.script, detail: failure.reason))
    }

    /// Runs scripts one by one with their output in one log; returns the first that failed.
    private mutating func run(
        _ scripts: [RunScript],
        _ kind: RunStep.Kind,
        _ logName: String
    ) async throws(RunnerError) -> (script: String, reason: String)? {
        guard !scripts.isEmpty, !isCancelled else { return nil }
        progress(.began(kind))
        let log = try TranscriptFile(path: "\(files.evidence)/\(logName)")
        var failure: (script: String, reason: String)?
        var duration = Duration.zero
        for script in scripts where !isCancelled && (failure == nil || kind == .after) {
            let words = script.words.joined(separator: " ")
            guard let command = command(script) else {
                failure = failure ?? (words, "there is no such program")
                continue
            }
            let outcome = try await step(
                kind, command, limit: script.timeLimit, outlastsRun: kind == .after, mergesStreams: true,
                ScriptWatcher(log))
            duration += outcome.duration
            guard let reason = Self.reason(outcome, script.timeLimit) else { continue }
            failure = failure ?? (words, reason)
        }
        noteWhatWasCut(try log.finish(), logName)
        progress(.ended(kind, duration))
        return failure
    }

    private static func reason(_ outcome: ChildOutcome, _ limit: Duration) -> String? {
        if outcome.cause == .cancelled { return nil }
        if outcome.wasTimedOut { return "it had not ended after \(seconds(min(limit, outcome.duration)))" }
        switch outcome.termination {
        case .exited(0): return nil
        case .exited(let status): return "it exited with status \(status)"
        case .signaled(let signal): return "signal \(signal) ended it"
        }
    }

    private func command(_ script: RunScript) -> ChildCommand? {
        guard let program = script.words.first else { return nil }
        let candidates: [String] =
            if program.hasPrefix("/") {
                [program]
            } else if program.contains("/") {
                ["\(request.package.root)/\(program)"]
            } else {
                (environment.variables["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile) else { return nil }
        return ChildCommand(
            executable: path, arguments: Array(script.words.dropFirst()), environment: environment.buildVariables,
            workingDirectory: request.package.root
        )
    }
}

/// Keeps the output of a script.
private struct ScriptWatcher: ChildObserver {
    private let log: TranscriptFile

    init(_ log: TranscriptFile) { self.log = log }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) { log.append(bytes) }
}
