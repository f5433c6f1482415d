import Evidence
import Synchronization

/// What was read out of the evidence of the runs that were looked at last: whoever walks through the sources of a run has its
/// manifest and its export read once, and not for every source.
final class RunCache<Value: Sendable>: Sendable {
    /// So many runs: the one that is looked at, and the one it is compared with.
    private static var most: Int { 2 }

    /// A folder as it lies at a place: a damaged one can be replaced as a whole.
    private struct Key: Equatable, Sendable {
        let directory: RunDirectory
        let number: UInt64
    }

    private let kept = Mutex<[(key: Key, value: Value)]>([])

    /// What is known of a run directory, whose files never change, so that they are read once; neither an error nor `nil` is kept.
    func value(of directory: RunDirectory, reading: (RunDirectory) throws -> Value?) rethrows -> Value? {
        guard let key = directory.number.map({ Key(directory: directory, number: $0) }) else {
            return try reading(directory)
        }
        if let known = kept.withLock({ $0.first { $0.key == key } }) { return known.value }
        guard let value = try reading(directory) else { return nil }
        kept.withLock { kept in
            kept.removeAll { $0.key == key }
            kept = Array(([(key, value)] + kept).prefix(Self.most))
        }
        return value
    }
}
