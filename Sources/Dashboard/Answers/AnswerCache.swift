import Evidence
import NIOCore
import Storage
import Synchronization

/// Answers that were made before, as long as they are true.
///
/// What they are made of is the store, kept run directories, and the clock by which moments are told: all is thrown away when
/// the store has changed, when a run began or ended, and once a minute.
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
    }

    /// How many bytes of pages are kept.
    private let room: Int
    private let entries = Mutex(Entries())

    init(room: Int = 12 << 20) { self.room = room }

    /// The answer to a question, if it was made in this state.
    func answer(for key: Key, in state: State) -> PreparedAnswer? {
        entries.withLock { entries in
            guard entries.state == state else {
                entries = Entries(state: state)
                return nil
            }
            guard let found = entries.byKey[key] else { return nil }
            entries.uses += 1
            found.lastUse = entries.uses
            return found.answer
        }
    }

    /// Keeps an answer that was made in a state; those that were not asked for longest go when there is no room.
    func keep(_ answer: PreparedAnswer, for key: Key, in state: State) {
        entries.withLock { entries in
            entries.uses += 1
            let entry = Entry(answer, lastUse: entries.uses)
            guard entry.size <= room / 4, entries.state == state, entries.byKey[key] == nil else { return }
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
