import Evidence
import NIOCore
import Storage
import Synchronization

/// Answers that were made before, as long as they are true.
///
/// What they are made of is the store, kept run directories, and the clock by which moments are told: all is thrown away when
/// the store has changed, when a run began or ended, and once a minute. One is kept that was asked for before, not long ago:
/// whoever goes through page after page takes no room from what is asked for again and again.
final class AnswerCache: Sendable {
    /// What all answers in it were made of.
    struct State: Sendable, Hashable {
        let store: StoreVersion
        let signs: LiveSigns.Change?
        let minute: Int
    }

    /// What was asked for, and of whom: links name the host.
    struct Key: Hashable {
        let authority: String
        let target: String
    }

    private final class Entry {
        let answer: PreparedAnswer
        var lastUse: Int

        init(_ answer: PreparedAnswer, lastUse: Int) {
            self.answer = answer
            self.lastUse = lastUse
        }

        /// What it takes: its body, and roughly what is around it.
        var size: Int { answer.body.readableBytes + 2048 }
    }

    private struct Entries {
        var state: State?
        var byKey: [Key: Entry] = [:]
        var bytes = 0
        var uses = 0
        var asked = LatestKeys()
    }

    /// What was made for the first time of late, by its hash: that two have the same only means that one is kept too early.
    private struct LatestKeys {
        private static let most = 512

        private var hashes: Set<Int> = []
        private var order: [Int] = []
        private var oldest = 0

        /// Notes a key; `true` where it is among the latest already.
        mutating func note(_ key: Key) -> Bool {
            let hash = key.hashValue
            guard hashes.insert(hash).inserted else { return true }
            if order.count < Self.most {
                order.append(hash)
            } else {
                hashes.remove(order[oldest])
                order[oldest] = hash
                oldest = (oldest + 1) % Self.most
            }
            return false
        }
    }

    /// How many bytes of pages are kept.
    private let room: Int
    private let entries = Mutex(Entries())

    init(room: Int = 8 << 20) { self.room = room }

    /// The answer to a question, if it was made in this state.
    func answer(for key: Key, in state: State) -> PreparedAnswer? {
        entries.withLock { entries in
            guard entries.state == state else {
                entries = Entries(state: state, asked: entries.asked)
                return nil
            }
            guard let found = entries.byKey[key] else { return nil }
            entries.uses += 1
            found.lastUse = entries.uses
            return found.answer
        }
    }

    /// Keeps an answer that was made in a state, if it was asked for before; those that were not asked for longest go when
    /// there is no room.
    func keep(_ answer: PreparedAnswer, for key: Key, in state: State) {
        entries.withLock { entries in
            guard entries.asked.note(key) else { return }
            entries.uses += 1
            let entry = Entry(answer, lastUse: entries.uses)
            guard entry.size <= room / 2, entries.state == state, entries.byKey[key] == nil else { return }
            entries.byKey[key] = entry
            entries.bytes += entry.size
            guard entries.bytes > room else { return }
            // Half of the room at once, so that the next ones cost nothing.
            for (key, entry) in entries.byKey.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                guard entries.bytes > room / 2 else { break }
                entries.byKey[key] = nil
                entries.bytes -= entry.size
            }
        }
    }
}
