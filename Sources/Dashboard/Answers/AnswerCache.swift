import Foundation
import RunModel
import Storage
import Synchronization

/// Badges and feeds that were made a moment ago, for those who need no credential: whoever views a README asks for its badge.
///
/// One is looked up only by whoever may read it, under a name that has all of the address. Whoever has a key gets one
/// that may be some seconds old, whatever was stored since: if it were made again then, the time that it takes would
/// reveal something of other projects. Whoever may see everything gets one only for as long as the store stays as it
/// is.
final class AnswerCache: Sendable {
    /// How long one is kept, in seconds.
    static let lifetime = 10.0
    /// How many are kept at most, and how many bytes they have; for one more, the oldest go.
    static let (most, mostBytes) = (1_000, 4 << 20)
    /// A larger one is not kept, in bytes.
    static let largest = 64 << 10

    private struct Entry {
        let answer: Answer
        let moment: Date
        /// The store that it was made of; `nil` if that was not asked.
        let version: StoreVersion?
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var bytes = 0

        mutating func remove(_ name: Name) {
            if let entry = entries.removeValue(forKey: name) { bytes -= entry.answer.body.count }
        }
    }

    private let state = Mutex(State())

    /// How many are kept, and their bytes.
    var figures: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

    /// What was made a moment ago; `nil` if nothing was, or of another store.
    ///
    /// - Parameter version: The store as it is now; `nil` for whoever must not learn whether it has changed.
    func find(_ name: Name, of version: StoreVersion?, at moment: Date) -> Answer? {
        state.withLock { state in
            guard let entry = state.entries[name] else { return nil }
            let age = moment.timeIntervalSince(entry.moment)
            guard (0..<Self.lifetime).contains(age), version == entry.version else { return nil }
            return entry.answer
        }
    }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - version: The store as it was before the answer was made; `nil` if that was not asked.
    ///   - moment: When it began to be made.
    func keep(_ answer: Answer, as name: Name, of version: StoreVersion?, at moment: Date) {
        guard answer.stream == nil, answer.body.count <= Self.largest else { return }
        state.withLock { state in
            state.remove(name)
            while state.entries.count >= Self.most || state.bytes + answer.body.count > Self.mostBytes {
                guard let oldest = state.entries.min(by: { $0.value.moment < $1.value.moment })?.key else { break }
                state.remove(oldest)
            }
            state.entries[name] = Entry(answer: answer, moment: moment, version: version)
            state.bytes += answer.body.count
        }
    }
}
