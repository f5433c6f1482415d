import Evidence
import RunModel
import Synchronization

/// What the store does not keep of the coverage of the runs that were looked at last: whoever walks through the sources of a
/// run has its export read once, and not for every source.
final class UnexecutedMemory: Sendable {
    /// So many runs: the one that is looked at, and the one it is compared with.
    private static let most = 2

    private let kept = Mutex<[(run: RunID, files: UnexecutedFiles?)]>([])

    /// What is known of a run. Its evidence never changes, so that it is read once; an error is not kept.
    func files(of run: RunID, reading: () throws -> UnexecutedFiles?) rethrows -> UnexecutedFiles? {
        if let known = kept.withLock({ $0.first { $0.run == run } }) { return known.files }
        let files = try reading()
        kept.withLock { kept in
            kept.removeAll { $0.run == run }
            kept = Array(([(run, files)] + kept).prefix(Self.most))
        }
        return files
    }
}
