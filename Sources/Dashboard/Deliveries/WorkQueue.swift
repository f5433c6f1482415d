import Dispatch
import Synchronization

/// Work of one kind, which is done one at a time on a thread that may wait.
final class WorkQueue: Sendable {
    /// How much may wait for its turn.
    private static let mostWaiting = 32

    private let queue: DispatchQueue
    private let waiting = Mutex(0)

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Does work when it is its turn.
    ///
    /// - Throws: `DeliveryRefusal.notNow` if too much is waiting; what the work throws.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isFree = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
        guard isFree else { throw DeliveryRefusal.notNow("too many runs are being taken in") }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
