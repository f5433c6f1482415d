import Foundation
import Gate
import RunModel
import TestRunning
import UnixSignals

/// A judgement under way, with a person watching: progress on standard error, and an orderly end on a signal.
struct Watched: Sendable {
    let surroundings: Surroundings

    /// Judges the subject; INT, TERM and HUP end the tests in order, what is known is kept and shown. A second signal, of
    /// whichever kind, ends at once what the first has asked to end.
    ///
    /// - Parameter budget: After so long the run is ended in order, too.
    /// - Throws: `BudgetSpent` when that is over before there is anything to show.
    func judge(
        _ subject: Checkpoint.Subject, at checkpoint: Checkpoint, budget: Duration? = nil
    ) async throws -> WatchedJudgement {
        let expected = checkpoint.expectedTime(of: subject)
        let (judgement, caught) = try await watch(for: budget, expecting: expected) { progress in
            try await checkpoint.judge(subject, expecting: expected, progress: progress)
        }
        return WatchedJudgement(judgement: judgement, signal: caught.value, hasSpentBudget: caught.isSpent)
    }

    /// Builds the subject; a signal ends that in order.
    func build(_ subject: Checkpoint.Subject, at checkpoint: Checkpoint) async throws -> BuildReport {
        let (report, caught) = try await watch { progress in try await checkpoint.build(subject, progress: progress) }
        if let signal = caught.value { throw SignalEnding(signal: signal) }
        return report
    }

    private func watch<Value: Sendable>(
        for budget: Duration? = nil,
        expecting expected: ExpectedTime? = nil,
        _ body: @escaping @Sendable (@escaping @Sendable (RunProgress) -> Void) async throws -> Value
    ) async throws -> (Value, CaughtSignal) {
        let printer = ProgressPrinter(surroundings: surroundings, expected: expected)
        let stop = ImmediateStop()
        let work = stop.withScope { Task { try await body { printer.show($0) } } }
        let caught = CaughtSignal()
        let guardian = Task {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                if caught.set(signal.rawValue) == 1 {
                    StandardStreams.tell("kanmon: \(signal): ending the tests; what is known is kept")
                    work.cancel()
                } else {
                    StandardStreams.tell("kanmon: \(signal) again: killing what has not ended yet")
                    stop.killNow()
                }
            }
        }
        let timer = Task {
            guard let budget else { return }
            // Nothing runs while the machine sleeps.
            try await Task.sleep(for: budget, clock: .suspending)
            caught.spend()
            work.cancel()
        }
        defer {
            timer.cancel()
            guardian.cancel()
            printer.finish()
        }
        do {
            return (try await work.value, caught)
        } catch {
            if let signal = caught.value { throw SignalEnding(signal: signal) }
            if caught.isSpent { throw BudgetSpent() }
            throw error
        }
    }
}

/// A judgement, and the signal that ended the run early, if one did.
struct WatchedJudgement: Sendable {
    let judgement: Judgement
    let signal: Int32?
    /// Whether the time for the run was over before the run was.
    let hasSpentBudget: Bool

    /// Ends the command with the status that tells the judgement; a signal goes before any verdict.
    func conclude(exitZero: Bool = false) throws {
        if let signal { throw SignalEnding(signal: signal) }
        if !exitZero, judgement.verdict.exitStatus != .passed { throw judgement.verdict.exitStatus }
    }
}

/// Thrown when the time for a run was over before anything was known of it.
struct BudgetSpent: Error {}

/// The number of the first signal that was caught, and whether the time is over.
private final class CaughtSignal: @unchecked Sendable {
    private let lock = NSLock()
    private var number: Int32?
    private var count = 0
    private var hasSpentBudget = false

    var isSpent: Bool { lock.withLock { hasSpentBudget } }

    func spend() { lock.withLock { hasSpentBudget = true } }

    var value: Int32? { lock.withLock { number } }

    /// Notes a signal; the first is the one that ended the run. Answers how many there were.
    func set(_ signal: Int32) -> Int {
        lock.withLock {
            number = number ?? signal
            count += 1
            return count
        }
    }
}
