import Access
import Foundation
import HTTPTypes
import RunModel
import Synchronization

/// The runs in progress on other machines, as these tell of them. They are in memory only: what is lost is a picture.
final class LiveBoard: Sendable {
    /// The longest body that tells of a run, in bytes.
    static let largest = 128 << 10
    /// After how many seconds without a word a run is dropped.
    static let silence = 30.0
    /// How often a run may be told of: once in so many seconds.
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
        var heard: Date
    }

    private struct State {
        var places: [RunID: Place] = [:]
        /// How often a run came or went.
        var changes = 0

        mutating func remove(_ id: RunID) { if places.removeValue(forKey: id) != nil { changes += 1 } }

        /// Drops the runs that nothing was heard of.
        mutating func expire(at moment: Date) {
            for (id, place) in places where moment.timeIntervalSince(place.heard) > LiveBoard.silence { remove(id) }
        }
    }

    private let state = Mutex(State())

    /// Shows how a run goes.
    ///
    /// - Throws: `DeliveryError` if it is another token's run, if it was told of just now, or if there are too many.
    func show(_ run: LiveRun, of token: AccessToken, machine: String?, at moment: Date) throws(DeliveryError) {
        let sender = LiveSender(token: token.name, machine: machine)
        let refusal = state.withLock { state -> DeliveryError? in
            state.expire(at: moment)
            if let known = state.places[run.runID] {
                guard known.token == token.sha256 else {
                    return DeliveryError(.conflict, "another token tells of this run")
                }
                guard moment.timeIntervalSince(known.heard) >= Self.pause else {
                    return DeliveryError(.tooManyRequests, "the run was told of just now", retryAfter: 1)
                }
            } else {
                let own = state.places.values.count { $0.token == token.sha256 }
                guard own < Self.mostOfToken, state.places.count < Self.most else {
                    return DeliveryError(.tooManyRequests, "too many runs are in progress", retryAfter: 30)
                }
                state.changes += 1
            }
            state.places[run.runID] = Place(run: run, sender: sender, token: token.sha256, heard: moment)
            return nil
        }
        if let refusal { throw refusal }
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
