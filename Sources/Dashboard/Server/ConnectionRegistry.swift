import NIOCore
import Synchronization

/// The open connections. When there are too many, one is closed for the new one: that which has been idle for longest, so that idle
/// connections cannot lock other clients out; else, of those that send a request or read an answer, the oldest of whoever has the
/// most, so that nobody is locked out by somebody who does both slowly. A new one is not idle at once: its first request may still be
/// on its way, behind a handshake.
final class ConnectionRegistry: Sendable {
    /// An open connection.
    final class Connection: Sendable {
        /// What a connection is doing.
        enum Phase: UInt64, Sendable {
            /// There is no request, or all requests are answered.
            case idle
            /// A request has begun to arrive.
            case receiving
            /// The client reads an answer.
            case reading
            /// An answer is being made.
            case answering
        }

        fileprivate let channel: any Channel
        /// The phase in the two highest bits, its start in the others. It is atomic, because it changes three times
        /// in a request and must not wait for a lock.
        private let packed: Atomic<UInt64>
        /// Whose request it has, as a number: 0 for anybody without a valid credential.
        private let holder = Atomic(Connection.nobody)
        /// The holder of a connection that has not had a request yet.
        fileprivate static let nobody = Int.min

        fileprivate init(_ channel: any Channel, at moment: NIODeadline) {
            self.channel = channel
            packed = Atomic(Self.packed(.receiving, moment))
        }

        /// Sets the phase.
        func enter(_ phase: Phase, at moment: NIODeadline) {
            packed.store(Self.packed(phase, moment), ordering: .relaxed)
        }

        /// Notes whose request it has.
        func belongs(to holder: Int) { self.holder.store(holder, ordering: .relaxed) }

        fileprivate func rank(at moment: NIODeadline) -> Rank {
            let (packed, holder) = (packed.load(ordering: .relaxed), holder.load(ordering: .relaxed))
            let since = packed & (1 << 62 - 1)
            let isSilent = holder == Self.nobody && moment.uptimeNanoseconds >= since &+ ConnectionRegistry.patience
            return Rank(phase: isSilent ? Phase.idle.rawValue : packed >> 62, since: since, holder: holder)
        }

        private static func packed(_ phase: Phase, _ moment: NIODeadline) -> UInt64 {
            phase.rawValue << 62 | moment.uptimeNanoseconds
        }
    }

    /// What decides which connection is closed.
    fileprivate struct Rank {
        let phase: UInt64
        let since: UInt64
        let holder: Int
    }

    /// For so many nanoseconds the first request of a connection may be on its way: 5 s.
    fileprivate static let patience: UInt64 = 5_000_000_000

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
                guard let first = Self.first(of: connections.values, at: moment) else { return connection }
                connections[ObjectIdentifier(first)] = nil
                victim = first
            }
            connections[ObjectIdentifier(connection)] = connection
            return victim
        }
        victim?.channel.close(promise: nil)
        return connection
    }

    /// The connection to close; `nil` if an answer is made for each, for then the new one is closed.
    private static func first(
        of connections: some Collection<Connection>, at moment: NIODeadline
    ) -> Connection? {
        let ranked = connections.map { (connection: $0, rank: $0.rank(at: moment)) }
            .filter { $0.rank.phase != Connection.Phase.answering.rawValue }
        guard let phase = ranked.map(\.rank.phase).min() else { return nil }
        let alike = ranked.filter { $0.rank.phase == phase }
        let isIdle = phase == Connection.Phase.idle.rawValue
        let counts = isIdle ? [:] : Dictionary(alike.map { ($0.rank.holder, 1) }, uniquingKeysWith: +)
        return alike.min { left, right in
            let (more, fewer) = (counts[left.rank.holder] ?? 0, counts[right.rank.holder] ?? 0)
            return (-more, left.rank.since) < (-fewer, right.rank.since)
        }?.connection
    }

    /// Removes a closed connection.
    func closed(_ connection: Connection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
