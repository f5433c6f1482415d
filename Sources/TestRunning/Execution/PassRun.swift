import Evidence
import RunModel

/// One pass in progress: a value independent of the others, so that several can run at the same time.
struct PassRun: Sendable {
    /// Its index among the passes of the run.
    let number: Int
    /// The tests to run.
    let plan: PassPlan
    /// The processes, one after the other.
    let commands: [ChildCommand]
    /// Where its evidence goes.
    let files: RunFiles
    /// How long they may take.
    let limits: RunLimits
    /// When the time for the whole run is over.
    let deadline: RunClock.Instant
    /// The isolation of their process trees.
    let isolation: TreeIsolation
    /// Receives the progress.
    let progress: @Sendable (RunProgress) -> Void

    /// How a pass ended.
    struct Ending: Sendable {
        var run: PassRun
        /// What was started, and how it ended.
        var steps: [(command: ChildCommand, outcome: ChildOutcome)] = []
        /// What was running when a time limit was over.
        var diagnosis: Diagnosis?
        /// How many bytes of the output were dropped.
        var dropped = 0
        /// How many tests have ended, according to their records.
        var ended = 0

        /// Whether no test failed, according to the exit statuses. 69 is Swift Testing's status for "no tests".
        var isSuccess: Bool {
            diagnosis == nil
                && steps.allSatisfy { $0.outcome.termination.isSuccess || $0.outcome.termination == .exited(69) }
        }
    }

    /// How long the Swift runtime may take to print the stack of each thread.
    private static let timeToTell = Duration.seconds(5)

    /// Runs the processes to their end. Cancelling the task ends them.
    func result() async -> Result<Ending, RunnerError> {
        do throws(RunnerError) {
            return .success(try await run())
        } catch {
            return .failure(error)
        }
    }

    private func run() async throws(RunnerError) -> Ending {
        let transcript = try TranscriptFile(path: files.transcript)
        let watcher = TestWatcher(transcript: transcript, files: files, testLimit: limits.test, progress: progress)
        var ending = Ending(run: self)
        for command in commands where !Task.isCancelled && ending.diagnosis == nil {
            let supervision = Supervision.Limits(
                run: max(.zero, deadline - .now), silence: limits.silence, grace: limits.grace,
                diagnosis: min(Self.timeToTell, limits.grace / 2))
            let outcome = try await ChildProcess(
                command, limits: supervision, mergesStreams: true, isolation: isolation
            ).run(watcher)
            ending.steps.append((command, outcome))
            ending.diagnosis = diagnosis(of: outcome, watcher)
            watcher.processEnded()
        }
        ending.dropped = try transcript.finish()
        ending.ended = watcher.ended
        return ending
    }

    private func diagnosis(of outcome: ChildOutcome, _ watcher: TestWatcher) -> Diagnosis? {
        let (cause, limit): (Diagnosis.Cause, Duration)
        switch outcome.cause {
        case .overdue: (cause, limit) = (.run, limits.run)
        case .silent: (cause, limit) = (.silence, limits.silence)
        case .testOverdue: (cause, limit) = (.test, limits.test)
        case .cancelled, nil: return nil
        }
        return Diagnosis(cause: cause, limit: limit, running: watcher.running, processes: outcome.processes)
    }
}
