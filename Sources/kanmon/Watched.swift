import Foundation
import Gate
import TestRunning
import UnixSignals

/// A judgement under way, with a person watching: progress on standard error, and an orderly end on a signal.
struct Watched: Sendable {
    let surroundings: Surroundings

    /// Judges the subject; INT, TERM and HUP end the tests in order, what is known is kept and shown.
    func judge(_ subject: Checkpoint.Subject, at checkpoint: Checkpoint) async throws -> WatchedJudgement {
        let (judgement, signal) = try await watch { progress in
            try await checkpoint.judge(subject, progress: progress)
        }
        return WatchedJudgement(judgement: judgement, signal: signal)
    }

    /// Builds the subject; a signal ends that in order.
    func build(_ subject: Checkpoint.Subject, at checkpoint: Checkpoint) async throws -> BuildReport {
        let (report, signal) = try await watch { progress in try await checkpoint.build(subject, progress: progress) }
        if let signal { throw SignalEnding(signal: signal) }
        return report
    }

    private func watch<Value: Sendable>(
        _ body: @escaping @Sendable (@escaping @Sendable (RunProgress) -> Void) async throws -> Value
    ) async throws -> (Value, signal: Int32?) {
        let printer = ProgressPrinter(surroundings: surroundings)
        let work = Task { try await body { printer.show($0) } }
        let caught = CaughtSignal()
        let guardian = Task {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                caught.set(signal.rawValue)
                StandardStreams.tell("kanmon: \(signal): ending the tests; what is known is kept")
                work.cancel()
            }
        }
        defer {
            guardian.cancel()
            printer.finish()
        }
        do {
            return (try await work.value, caught.value)
        } catch {
            if let signal = caught.value { throw SignalEnding(signal: signal) }
            throw error
        }
    }
}

/// A judgement, and the signal that ended the run early, if one did.
struct WatchedJudgement: Sendable {
    let judgement: Judgement
    let signal: Int32?

    /// Ends the command with the status that tells the judgement; a signal goes before any verdict.
    func conclude(exitZero: Bool = false) throws {
        if let signal { throw SignalEnding(signal: signal) }
        if !exitZero, judgement.verdict.exitStatus != .passed { throw judgement.verdict.exitStatus }
    }
}

/// The number of the last signal that was caught.
private final class CaughtSignal: @unchecked Sendable {
    private let lock = NSLock()
    private var number: Int32?

    var value: Int32? { lock.withLock { number } }

    func set(_ signal: Int32) { lock.withLock { number = signal } }
}
