import NIOCore
import Synchronization

/// The open connections. When there are too many, the one that has been idle for longest is closed for the new one,
/// so that idle connections cannot lock other clients out.
final class ConnectionRegistry: Sendable {
    /// An open connection.
    final class Connection: Sendable {
        /// What a connection is doing.
        enum Phase: UInt64, Sendable {
            /// There is no request, or all requests are answered.
            case idle
            /// A request has begun to arrive.
            case receiving
            /// An answer is being made or sent.
            case answering
        }

        fileprivate let channel: any Channel
        /// The phase in the two highest bits, its start in the others. It is atomic, because it changes three times
        /// in a request and must not wait for a lock.
        private let packed: Atomic<UInt64>

        fileprivate init(_ channel: any Channel, at moment: NIODeadline) {
            self.channel = channel
            packed = Atomic(Self.packed(.idle, moment))
        }

        /// Sets the phase.
        func enter(_ phase: Phase, at moment: NIODeadline) {
            packed.store(Self.packed(phase, moment), ordering: .relaxed)
        }

        /// The connection with the lowest rank is closed first; `nil` for one that is being answered.
        fileprivate var rank: UInt64? {
            let packed = packed.load(ordering: .relaxed)
            return packed >> 62 == Phase.answering.rawValue ? nil : packed
        }

        private static func packed(_ phase: Phase, _ moment: NIODeadline) -> UInt64 {
            phase.rawValue << 62 | moment.uptimeNanoseconds
        }
    }

    private let most: Int
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    init(most: Int) { self.most = most }

    /// How many are open.
    var count: Int { connections.withLock { $0.count } }

    /// Adds a connection, and closes another if there are too many.
    func opened(_ channel: any Channel, at moment: NIODeadline) -> Connection {
        let connection = Connection(channel, at: moment)
        let victim = connections.withLock { connections -> Connection? in
            var victim: Connection?
            if connections.count >= most {
                // Connections that are being answered are not closed; if there are no others, the new one is closed.
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

    /// Removes a closed connection.
    func closed(_ connection: Connection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
