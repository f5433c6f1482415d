import Dispatch

/// Makes pages and data on threads of its own. The pool of Swift's tasks has one thread for each processor, and reading the store
/// blocks its thread: a few pages that take long would keep sign-in, `/healthz` and deliveries waiting.
final class PageThreads: Sendable {
    /// Pages that are made at a time, and those of one reader.
    private static let places = FairTurns.Places(all: 4, ofOne: 2, waitingOfOne: 64, waiting: 512)

    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "kanmon.pages", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private let executor = Executor()
    private let turns = FairTurns(PageThreads.places)

    /// Makes an answer when it is the reader's turn.
    ///
    /// - Throws: `Refusal.crowded` if too much is waiting; what making it throws.
    func make<Value: Sendable>(for reader: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        let turn: FairTurns.Turn
        do throws(FairTurns.Refused) {
            turn = try await turns.turn(of: reader)
        } catch {
            throw Refusal.crowded
        }
        defer { withExtendedLifetime(turn) {} }
        return try await withTaskExecutorPreference(executor) { try await body() }
    }
}
