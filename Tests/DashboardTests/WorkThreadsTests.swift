import Dispatch
import Synchronization
import Testing

@testable import Dashboard

/// Where work is done that blocks.
@Suite struct WorkThreadsTests {
    /// Works that wait for each other.
    private final class Meeting: Sendable {
        let begun = Mutex(0)
        let patient = Mutex(0)
        let over = DispatchSemaphore(value: 0)
    }

    @Test func `work that blocks keeps no task waiting`() async {
        let (count, meeting) = (64, Meeting())
        let threads = WorkThreads("tests", count)
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    await threads.run {
                        meeting.begun.withLock { $0 += 1 }
                        // Whoever waits in vain has the thread of the task that ends the waiting.
                        if meeting.over.wait(timeout: .now() + 30) == .success { meeting.patient.withLock { $0 += 1 } }
                    }
                }
            }
            group.addTask {
                while meeting.begun.withLock({ $0 }) < count { await Task.yield() }
                for _ in 0..<count { meeting.over.signal() }
            }
        }
        #expect(meeting.patient.withLock { $0 } == count)
    }
}
