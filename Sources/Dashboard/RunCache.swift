import RunModel
import Synchronization

/// What was read out of the evidence of the runs that were looked at last: whoever walks through the sources of a run has its
/// manifest and its export read once, and not for every source.
final class RunCache<Value: Sendable>: Sendable {
    /// So many runs: the one that is looked at, and the one it is compared with.
    private static var most: Int { 2 }

    private let kept = Mutex<[(run: RunID, value: Value)]>([])

    /// What is known of a run. Its evidence never changes, so that it is read once; neither an error nor `nil` is kept.
    func value(of run: RunID, reading: () throws -> Value?) rethrows -> Value? {
        if let known = kept.withLock({ $0.first { $0.run == run } }) { return known.value }
        guard let value = try reading() else { return nil }
        kept.withLock { kept in
            kept.removeAll { $0.run == run }
            kept = Array(([(run, value)] + kept).prefix(Self.most))
        }
        return value
    }
}
