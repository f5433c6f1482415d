import NIOCore
import Synchronization

/// The connections that are open. When there are too many, the one that waits longest for nothing is closed for the new one, so
/// that whoever holds connections open for nothing keeps nobody out.
final class ConnectionRegistry: Sendable {
    /// One that is open.
    final class Connection: Sendable {
        /// What a connection is doing.
        enum Phase: UInt64, Sendable {
            /// Nothing was asked, or all that was asked is answered.
            case idle
            /// A request has begun to arrive.
            case receiving
            /// An answer is being made or sent.
            case answering
        }

        fileprivate let channel: any Channel
        /// The phase in the two highest bits, since when below: three times a request its own thread says something new,
        /// and nobody has to wait for that.
        private let standing: Atomic<UInt64>

        fileprivate init(_ channel: any Channel, at moment: NIODeadline) {
            self.channel = channel
            standing = Atomic(Self.standing(.idle, moment))
        }

        /// Takes note of what it is doing from now on.
        func enter(_ phase: Phase, at moment: NIODeadline) {
            standing.store(Self.standing(phase, moment), ordering: .relaxed)
        }

        /// Who has the least has to make room first; `nil` for one that is being answered.
        fileprivate var rank: UInt64? {
            let standing = standing.load(ordering: .relaxed)
            return standing >> 62 == Phase.answering.rawValue ? nil : standing
        }

        private static func standing(_ phase: Phase, _ moment: NIODeadline) -> UInt64 {
            phase.rawValue << 62 | moment.uptimeNanoseconds
        }
    }

    private let most: Int
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    init(most: Int) { self.most = most }

    /// How many are open.
    var count: Int { connections.withLock { $0.count } }

    /// Takes note of a new one, and closes another when that makes one too many.
    func opened(_ channel: any Channel, at moment: NIODeadline) -> Connection {
        let connection = Connection(channel, at: moment)
        let victim = connections.withLock { connections -> Connection? in
            var victim: Connection?
            if connections.count >= most {
                // Those being answered are not touched; were there nothing else, the new one would have to go.
                let ranked = connections.values.compactMap { one in one.rank.map { (one, $0) } }
                guard let first = ranked.min(by: { $0.1 < $1.1 })?.0 else { return connection }
                connections[ObjectIdentifier(first)] = nil
                victim = first
            }
            connections[ObjectIdentifier(connection)] = connection
            return victim
        }
        victim?.channel.close(promise: nil)
        return connection
    }

    /// Takes note that one is closed.
    func closed(_ connection: Connection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
