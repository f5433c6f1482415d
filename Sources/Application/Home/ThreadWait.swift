import Foundation
import Gate
import Synchronization

/// Waits for asynchronous work, on a thread that may wait: one that takes in a delivery, and none of those that all tasks share.
enum ThreadWait {
    /// Does long work on a thread of its own, while the task that waits for it takes none.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    /// What the work came to, or its error.
    static func value<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await work())
            } catch {
                outcome = .failure(error)
            }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        isDone.wait()
        guard let value = try result.withLock({ $0 })?.get() else {
            throw Problem(.internalError, "nothing came of waiting")
        }
        return value
    }
}
