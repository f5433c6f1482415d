import Dispatch
import Synchronization

/// Threads for work that blocks, such as reading the store or waiting for the disk.
///
/// The pool of Swift's tasks has one thread for each processor, and on Linux it shares them with all concurrent queues: two of these
/// that wait would keep sign-in, `/healthz` and deliveries waiting. A serial queue has a thread of its own, and so each of these is one.
package final class WorkThreads: Sendable {
    /// The thread that the present work is done on, for work that outlives it: a detached task has none by itself.
    @TaskLocal package static var current: (any TaskExecutor)?

    private final class Thread: TaskExecutor {
        private let queue: DispatchQueue

        init(_ label: String) { queue = DispatchQueue(label: label) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private let threads: [Thread]
    /// How much is done on each of them now.
    private let busy: Mutex<[Int]>

    /// - Parameters:
    ///   - label: What debuggers call them.
    ///   - count: How many there are.
    package init(_ label: String, _ count: Int) {
        threads = (0..<count).map { Thread("\(label).\($0)") }
        busy = Mutex(Array(repeating: 0, count: count))
    }

    /// Does work on the thread that has the least to do.
    package func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
        let index = busy.withLock { busy in
            let index = busy.indices.min { busy[$0] < busy[$1] } ?? 0
            busy[index] += 1
            return index
        }
        defer { busy.withLock { $0[index] -= 1 } }
        return try await Self.$current.withValue(threads[index]) {
            try await withTaskExecutorPreference(threads[index]) { try await work() }
        }
    }
}
