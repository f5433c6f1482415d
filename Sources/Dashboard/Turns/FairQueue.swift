import RunModel
import Synchronization

/// Who may work now: a limited number at a time, by turns of those who ask, and of the projects of each.
///
/// Work is queued by the name of who asks. A request waits for at most one piece of work of each other name. Few pieces
/// of one name are done at a time, so that a name with long pieces leaves the other places to the rest.
final class FairQueue: Sendable {
    /// The limits of a queue.
    struct Places: Sendable {
        /// How many work at a time.
        var all: Int
        /// How many work at a time for one name.
        var ofOne: Int
        /// How many may wait for one name.
        var waitingOfOne: Int
        /// How many may wait at all.
        var waiting: Int
    }

    /// Too much is waiting.
    struct Refused: Error, Sendable, Hashable {
        /// Whether others would still be taken.
        let isOfOne: Bool
    }

    /// The permission to work; it ends with the object.
    final class Turn: Sendable {
        private let turns: FairQueue
        private let name: Name

        fileprivate init(_ turns: FairQueue, _ name: Name) { (self.turns, self.name) = (turns, name) }

        deinit { turns.end(name) }
    }

    /// Begins, or hears why it may not.
    private typealias Start = @Sendable (Refused?) -> Void

    /// What waits of one who asks.
    private struct Line {
        var waiting: [Name: [Start]] = [:]
        /// The projects that something waits for, the next one first.
        var projects: [Name] = []
        var count = 0
        var working = 0

        mutating func add(_ start: @escaping Start, to project: Name) {
            if waiting[project] == nil { projects.append(project) }
            waiting[project, default: []].append(start)
            count += 1
        }

        mutating func next() -> Start? {
            guard !projects.isEmpty else { return nil }
            let project = projects.removeFirst()
            guard var starts = waiting.removeValue(forKey: project), !starts.isEmpty else { return nil }
            let start = starts.removeFirst()
            if !starts.isEmpty {
                waiting[project] = starts
                projects.append(project)
            }
            count -= 1
            return start
        }
    }

    private struct State {
        var lines: [Name: Line] = [:]
        /// Those who ask, the next one first.
        var order: [Name] = []
        var working = 0
        var waiting = 0
        var isClosed = false

        /// Takes everything that waits.
        mutating func takeWaiting() -> [Start] {
            var taken: [Start] = []
            for name in order { while let start = lines[name]?.next() { taken.append(start) } }
            lines = lines.filter { $0.value.working > 0 }
            order.removeAll { lines[$0] == nil }
            waiting = 0
            return taken
        }

        /// The next one who may begin; `nil` where nobody may.
        mutating func next(_ places: Places) -> Start? {
            guard working < places.all else { return nil }
            for (place, name) in order.enumerated() {
                guard let line = lines[name], line.working < places.ofOne, let start = lines[name]?.next() else {
                    continue
                }
                order.remove(at: place)
                order.append(name)
                lines[name]?.working += 1
                working += 1
                waiting -= 1
                return start
            }
            return nil
        }

        mutating func end(_ name: Name) {
            working -= 1
            lines[name]?.working -= 1
            guard lines[name]?.count == 0, lines[name]?.working == 0 else { return }
            lines[name] = nil
            order.removeAll { $0 == name }
        }
    }

    private let places: Places
    private let state = Mutex(State())

    init(_ places: Places) { self.places = places }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Whether nobody works and nobody waits.
    var isIdle: Bool { state.withLock { $0.working == 0 && $0.waiting == 0 } }

    /// Waits for a turn.
    ///
    /// - Parameters:
    ///   - name: Who asks.
    ///   - project: What for; the projects of one take turns as well.
    func turn(of name: String, in project: String = "") async throws(Refused) -> Turn {
        let name = Name(name)
        let refused = await withCheckedContinuation { (continuation: CheckedContinuation<Refused?, Never>) in
            let refused = state.withLock { state -> Refused? in
                guard !state.isClosed, state.waiting < places.waiting else { return Refused(isOfOne: false) }
                guard state.lines[name]?.count ?? 0 < places.waitingOfOne else { return Refused(isOfOne: true) }
                if state.lines[name] == nil {
                    state.lines[name] = Line()
                    state.order.append(name)
                }
                state.lines[name]?.add({ continuation.resume(returning: $0) }, to: Name(project))
                state.waiting += 1
                return nil
            }
            if let refused { return continuation.resume(returning: refused) }
            begin()
        }
        if let refused { throw refused }
        return Turn(self, name)
    }

    /// Refuses what waits and what comes; what is being done goes on.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }
        for start in waiting { start(Refused(isOfOne: false)) }
    }

    private func begin() {
        while let start = state.withLock({ $0.next(places) }) { start(nil) }
    }

    fileprivate func end(_ name: Name) {
        state.withLock { $0.end(name) }
        begin()
    }
}
