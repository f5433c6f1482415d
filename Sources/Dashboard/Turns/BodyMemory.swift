import RunModel
import Synchronization

/// How much of bodies may be in memory: of all clients, and of one.
///
/// These are answers that are made and not read yet, since a client that does not read costs what its answer takes until its connection
/// is cut; or lists that arrive and are taken in. Files are read and written piece by piece, and take no part in it.
final class BodyMemory: Sendable {
    /// What one body takes; it is free again with the object.
    final class Share: Sendable {
        private let memory: BodyMemory
        private let client: Name
        private let bytes: Int
        /// Whether it is a large one that is counted by itself, and no other has room.
        let isApart: Bool

        fileprivate init(_ memory: BodyMemory, _ client: Name, _ bytes: Int, isApart: Bool) {
            (self.memory, self.client, self.bytes, self.isApart) = (memory, client, bytes, isApart)
        }

        deinit { if isApart { memory.freeLarge() } else { memory.free(bytes, of: client) } }
    }

    private struct State {
        var used = 0
        /// The bytes of the large body that is counted apart; 0 without one.
        var large = 0
        var byClient: [Name: Int] = [:]
        var refused = 0
    }

    /// A smaller answer fits into the buffer of its connection.
    static let small = 64 << 10

    private let most: Int
    private let mostOfOne: Int
    private let countsLargeApart: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: Bytes of all clients; one has a quarter of them.
    ///   - countsLargeApart: Whether a body larger than that quarter is counted by itself, one at a time, so that it keeps nobody out.
    init(most: Int, countsLargeApart: Bool = false) {
        self.most = most
        self.countsLargeApart = countsLargeApart
        mostOfOne = most / 4
    }

    /// How many bytes are taken, and how many bodies were refused because of that.
    var figures: (bytes: Int, refused: Int) { state.withLock { ($0.used + $0.large, $0.refused) } }

    /// Room for a body; `nil` where there is none. The first of a client, and the first at all, fit whatever their size.
    func take(_ bytes: Int, for client: String) -> Share? {
        let client = Name(client)
        if countsLargeApart, bytes > mostOfOne { return takeLarge(bytes, client) }
        let hasRoom = state.withLock { state in
            let own = state.byClient[client] ?? 0
            guard state.used == 0 || state.used + bytes <= most, own == 0 || own + bytes <= mostOfOne else {
                state.refused += 1
                return false
            }
            state.used += bytes
            state.byClient[client] = own + bytes
            return true
        }
        return hasRoom ? Share(self, client, bytes, isApart: false) : nil
    }

    private func takeLarge(_ bytes: Int, _ client: Name) -> Share? {
        let hasRoom = state.withLock { state in
            guard state.large == 0 else {
                state.refused += 1
                return false
            }
            state.large = bytes
            return true
        }
        return hasRoom ? Share(self, client, bytes, isApart: true) : nil
    }

    private func freeLarge() { state.withLock { $0.large = 0 } }

    private func free(_ bytes: Int, of client: Name) {
        state.withLock { state in
            state.used -= bytes
            let own = (state.byClient[client] ?? 0) - bytes
            state.byClient[client] = own > 0 ? own : nil
        }
    }
}
