import RunModel
import Synchronization

/// How much of answers may be in memory that are made and not read yet: of all readers, and of one.
///
/// A client that does not read costs what its answer takes until its connection is cut. Files are read from the disk while they are
/// sent, and take no part in it.
final class AnswerMemory: Sendable {
    /// What one answer takes; it is free again with the object.
    final class Share: Sendable {
        private let memory: AnswerMemory
        private let reader: Name
        private let bytes: Int

        fileprivate init(_ memory: AnswerMemory, _ reader: Name, _ bytes: Int) {
            (self.memory, self.reader, self.bytes) = (memory, reader, bytes)
        }

        deinit { memory.free(bytes, of: reader) }
    }

    private struct State {
        var used = 0
        var byReader: [Name: Int] = [:]
        var refused = 0
    }

    /// A smaller answer fits into the buffer of its connection.
    static let small = 64 << 10

    private let most: Int
    private let mostOfOne: Int
    private let state = Mutex(State())

    /// - Parameter most: Bytes of all readers; one has a quarter of them.
    init(most: Int) {
        self.most = most
        mostOfOne = most / 4
    }

    /// How many bytes wait to be read, and how many answers were refused because of that.
    var figures: (bytes: Int, refused: Int) { state.withLock { ($0.used, $0.refused) } }

    /// Room for an answer; `nil` where there is none. The first answer of a reader, and the first at all, fit whatever their size.
    func take(_ bytes: Int, for reader: String) -> Share? {
        let reader = Name(reader)
        let hasRoom = state.withLock { state in
            let own = state.byReader[reader] ?? 0
            guard state.used == 0 || state.used + bytes <= most, own == 0 || own + bytes <= mostOfOne else {
                state.refused += 1
                return false
            }
            state.used += bytes
            state.byReader[reader] = own + bytes
            return true
        }
        return hasRoom ? Share(self, reader, bytes) : nil
    }

    private func free(_ bytes: Int, of reader: Name) {
        state.withLock { state in
            state.used -= bytes
            let own = (state.byReader[reader] ?? 0) - bytes
            state.byReader[reader] = own > 0 ? own : nil
        }
    }
}
