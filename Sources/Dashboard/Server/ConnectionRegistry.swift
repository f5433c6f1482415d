import NIOCore
import Synchronization

/// The connections that are open. When there are too many, the one that waits longest for nothing is closed for the new one, so
/// that whoever holds connections open for nothing keeps nobody out.
final class ConnectionRegistry: Sendable {
    /// What a connection is doing.
    enum Phase: Int, Sendable {
        /// Nothing was asked, or all that was asked is answered.
        case idle
        /// A request has begun to arrive.
        case receiving
        /// An answer is being made or sent.
        case answering
    }

    private struct Connection {
        let channel: any Channel
        var phase = Phase.idle
        var since: NIODeadline
    }

    private let most: Int
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    init(most: Int) { self.most = most }

    /// How many are open.
    var count: Int { connections.withLock { $0.count } }

    /// Takes note of a new one, and closes another when that makes one too many.
    func opened(_ channel: any Channel, at moment: NIODeadline) {
        let victim = connections.withLock { connections -> (any Channel)? in
            var victim: (key: ObjectIdentifier, value: Connection)?
            if connections.count >= most {
                // Those being answered are not touched; were there nothing else, the new one would have to go.
                victim = connections.lazy.filter { $0.value.phase != .answering }
                    .min { ($0.value.phase.rawValue, $0.value.since) < ($1.value.phase.rawValue, $1.value.since) }
                guard let victim else { return channel }
                connections[victim.key] = nil
            }
            connections[ObjectIdentifier(channel)] = Connection(channel: channel, since: moment)
            return victim?.value.channel
        }
        victim?.close(promise: nil)
    }

    /// Takes note of what one is doing from now on.
    func entered(_ phase: Phase, _ channel: any Channel, at moment: NIODeadline) {
        connections.withLock { connections in
            connections[ObjectIdentifier(channel)]?.phase = phase
            connections[ObjectIdentifier(channel)]?.since = moment
        }
    }

    /// Takes note that one is closed.
    func closed(_ channel: any Channel) {
        connections.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
}
