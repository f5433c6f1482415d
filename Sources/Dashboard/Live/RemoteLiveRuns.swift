import Access
import Foundation
import HTTPTypes
import RunModel
import Synchronization

/// The runs in progress on other machines, as these tell of them. They are in memory only: what is lost is a picture.
final class RemoteLiveRuns: Sendable {
    /// The longest body that tells of a run, in bytes.
    static let largest = 128 << 10
    /// After how many seconds without a word a run is dropped.
    static let silence = 30.0
    /// How often the progress of a run may be sent: once in this many seconds.
    static let pause = 0.5
    /// How many runs there may be.
    static let most = 256
    /// How many of them one token may tell of.
    static let mostOfToken = 32

    private struct Place {
        var run: LiveRun
        var sender: LiveSender
        /// The token, by its hash: the run is its own.
        var token: String
        /// Whether the team trusts that token.
        var isTrusted: Bool
        var heard: Date
    }

    private struct State {
        var places: [RunID: Place] = [:]
        /// How often a run came or went.
        var changes = 0

        mutating func remove(_ id: RunID) { if places.removeValue(forKey: id) != nil { changes += 1 } }

        /// Drops the runs that nothing was heard of.
        mutating func expire(at moment: Date) {
            for (id, place) in places where moment.timeIntervalSince(place.heard) > RemoteLiveRuns.silence {
                remove(id)
            }
        }

        /// Makes room for a run, if necessary: of the runs that are trusted least, the quietest one of the token with the most goes.
        mutating func hasRoom(for place: Place) -> Bool {
            guard places.count >= RemoteLiveRuns.most else { return true }
            let lesser = places.filter { !$0.value.isTrusted }
            let yielding = lesser.isEmpty && place.isTrusted ? places : lesser
            let counts = Dictionary(yielding.map { ($0.value.token, 1) }, uniquingKeysWith: +)
            let victim = yielding.max { left, right in
                let (more, fewer) = (counts[right.value.token] ?? 0, counts[left.value.token] ?? 0)
                return (fewer, right.value.heard, right.key) < (more, left.value.heard, left.key)
            }
            guard let victim else { return false }
            remove(victim.key)
            return true
        }
    }

    private let state = Mutex(State())

    /// Shows how a run goes.
    ///
    /// A full list makes room: what others tell of decides nothing but what is shown.
    ///
    /// - Returns: Whether it is shown; not where every place is one of a token that is trusted more.
    /// - Throws: `CallError` if it is another token's run that is trusted as much, if it was told of just now, or if the token
    ///   tells of too many.
    func show(_ run: LiveRun, of token: AccessToken, machine: String?, at moment: Date) throws(CallError) -> Bool {
        let place = Place(
            run: run, sender: LiveSender(token: token.name, machine: machine), token: token.sha256,
            isTrusted: token.scope.attests, heard: moment)
        let outcome = state.withLock { state -> Result<Bool, CallError> in
            state.expire(at: moment)
            if let known = state.places[run.runID] {
                guard known.token == place.token || place.isTrusted && !known.isTrusted else {
                    return .failure(CallError(.conflict, "another token tells of this run"))
                }
                guard known.token != place.token || moment.timeIntervalSince(known.heard) >= Self.pause else {
                    return .failure(
                        CallError(.tooManyRequests, "the run was told of just now", retryAfter: 1))
                }
            } else {
                guard state.places.values.count(where: { $0.token == place.token }) < Self.mostOfToken else {
                    return .failure(CallError(.tooManyRequests, "too many runs are in progress", retryAfter: 30))
                }
                guard state.hasRoom(for: place) else { return .success(false) }
                state.changes += 1
            }
            state.places[run.runID] = place
            return .success(true)
        }
        return try outcome.get()
    }

    /// Drops a run, such as one that was delivered.
    func remove(_ id: RunID) { state.withLock { $0.remove(id) } }

    /// A run; `nil` if nobody tells of it any more.
    func find(_ id: RunID, at moment: Date) -> LiveEntry? {
        state.withLock { state in
            state.expire(at: moment)
            return state.places[id].map { LiveEntry($0.run, .running, from: $0.sender) }
        }
    }

    /// All runs, in no order.
    func running(at moment: Date) -> [LiveEntry] {
        state.withLock { state in
            state.expire(at: moment)
            return state.places.values.map { LiveEntry($0.run, .running, from: $0.sender) }
        }
    }

    /// How often a run came or went.
    func changes(at moment: Date) -> Int {
        state.withLock { state in
            state.expire(at: moment)
            return state.changes
        }
    }
}
