import Foundation
import Synchronization
import TestSupport

/// A clock that a test moves.
final class MovingClock: Sendable {
    private let moment = Mutex(SampleRuns.moment)

    var now: Date { moment.withLock { $0 } }

    func pass(_ seconds: Double) { moment.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
