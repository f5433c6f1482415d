import Foundation
import Gate
import Mutation
import RunModel
package import TestRunning
import UnixSignals

/// Judges with progress on standard error, and ends orderly on a signal.
package struct InterruptibleRun: Sendable {
    let process: ProcessContext

    package init(process: ProcessContext) { self.process = process }

    /// Judges the subject. INT, TERM and HUP end the tests orderly, and the results so far are stored and shown. A
    /// second signal of any kind ends the run at once.
    ///
    /// - Parameter budget: The time after which the run is ended too.
    /// - Throws: `BudgetSpent` if the time is over before there are any results.
    package func judge(
        _ subject: Checkpoint.Subject, at checkpoint: Checkpoint, budget: Duration? = nil
    ) async throws -> InterruptibleJudgement {
        let expected = checkpoint.expectedTime(of: subject)
        let (judgement, caught) = try await watch(for: budget, expecting: expected) { progress in
            try await checkpoint.judge(subject, expecting: expected, progress: progress)
        }
        return InterruptibleJudgement(judgement: judgement, signal: caught.value, hasSpentBudget: caught.isSpent)
    }

    /// Builds the subject; a signal ends the build orderly.
    package func build(_ subject: Checkpoint.Subject, at checkpoint: Checkpoint) async throws -> BuildReport {
        let (report, caught) = try await watch { progress in try await checkpoint.build(subject, progress: progress) }
        if let signal = caught.value { throw SignalEnding(signal: signal) }
        return report
    }

    /// Tries mutants; a signal ends them orderly, and what is known so far is kept.
    func mutate(
        _ subject: Checkpoint.Subject, _ mutation: MutationRequest, at checkpoint: Checkpoint
    ) async throws -> (report: MutationReport, signal: Int32?) {
        let (report, caught) = try await watch { progress in
            try await checkpoint.mutate(subject, mutation, progress: progress)
        }
        return (report, caught.value)
    }

    /// Searches a history; a signal or the end of the time ends it, and what is known so far is kept.
    ///
    /// - Parameter body: Is given what to tell progress, and what to tell a step that was done.
    func search<Value: Sendable>(
        for budget: Duration,
        _ body:
            @escaping @Sendable (
                _ progress: @escaping @Sendable (RunProgress) -> Void, _ tell: @escaping @Sendable (String) -> Void
            ) async throws -> Value
    ) async throws -> (value: Value, signal: Int32?) {
        let printer = ProgressPrinter(process: process, isQuiet: true)
        let (value, caught) = try await watch(printer, for: budget) {
            try await body({ printer.show($0) }, { printer.tell($0) })
        }
        return (value, caught.value)
    }

    /// Repeats tests; a signal ends that orderly, and what is known so far is kept.
    package func stress(
        _ subject: Checkpoint.Subject, _ stress: StressRequest, of names: [String], at checkpoint: Checkpoint
    ) async throws -> (report: StressReport, signal: Int32?) {
        let (report, caught) = try await watch { progress in
            try await checkpoint.stress(subject, stress, of: names, progress: progress)
        }
        return (report, caught.value)
    }

    private func watch<Value: Sendable>(
        for budget: Duration? = nil,
        expecting expected: ExpectedTime? = nil,
        _ body: @escaping @Sendable (@escaping @Sendable (RunProgress) -> Void) async throws -> Value
    ) async throws -> (Value, CaughtSignal) {
        let printer = ProgressPrinter(process: process, expected: expected)
        return try await watch(printer, for: budget) { try await body { printer.show($0) } }
    }

    private func watch<Value: Sendable>(
        _ printer: ProgressPrinter, for budget: Duration?, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> (Value, CaughtSignal) {
        let stop = ImmediateStop()
        let work = stop.withScope { Task { try await body() } }
        let caught = CaughtSignal()
        let guardian = Task {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                if caught.set(signal.rawValue) == 1 {
                    StandardStreams.tell("kanmon: \(signal): ending the tests; the results so far are kept")
                    work.cancel()
                } else {
                    StandardStreams.tell("kanmon: \(signal) again: killing the remaining processes")
                    stop.killNow()
                }
            }
        }
        let timer = Task {
            guard let budget else { return }
            // The time while the machine sleeps does not count.
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
package struct InterruptibleJudgement: Sendable {
    package let judgement: Judgement
    package let signal: Int32?
    /// Whether the budget ended the run.
    let hasSpentBudget: Bool

    /// Ends the command with the exit status of the judgement, or of the signal if there was one.
    package func conclude(exitZero: Bool = false) throws {
        if let signal { throw SignalEnding(signal: signal) }
        if !exitZero, judgement.verdict.exitStatus != .passed { throw judgement.verdict.exitStatus }
    }
}

/// Thrown when the budget of a run ended before there were any results.
struct BudgetSpent: Error {}

/// The first signal that was caught, and whether the budget is spent.
private final class CaughtSignal: @unchecked Sendable {
    private let lock = NSLock()
    private var number: Int32?
    private var count = 0
    private var hasSpentBudget = false

    var isSpent: Bool { lock.withLock { hasSpentBudget } }

    func spend() { lock.withLock { hasSpentBudget = true } }

    var value: Int32? { lock.withLock { number } }

    /// Records a signal; the first one ended the run. Returns how many there were.
    func set(_ signal: Int32) -> Int {
        lock.withLock {
            number = number ?? signal
            count += 1
            return count
        }
    }
}
