import Evidence
import Foundation
import RunModel

/// The runs in progress: those of this machine by their progress files, and those of others as they tell of them.
struct LiveRuns: Sendable {
    /// What a list of them depends on: it changes when one begins or ends.
    struct Change: Hashable {
        let signs: LiveSigns.Change?
        let board: Int
    }

    /// Those of this machine; `nil` if they are not watched.
    let signs: LiveSigns?
    let board = LiveBoard()
    let now: @Sendable () -> Date

    init(_ signs: LiveSigns?, now: @escaping @Sendable () -> Date) {
        self.signs = signs
        self.now = now
    }

    /// All of them, the newest first. A run that is told of and runs here is one of this machine.
    func running() -> [LiveEntry] {
        let own = signs?.running() ?? []
        let others = board.running(at: now())
        guard !others.isEmpty else { return own }
        let known = Set(own.map(\.run.runID))
        return (own + others.filter { !known.contains($0.run.runID) }).sorted { $0.run.runID > $1.run.runID }
    }

    /// A run; `nil` when nothing is known of it.
    func find(_ id: RunID) -> LiveEntry? { signs?.find(id) ?? board.find(id, at: now()) }

    /// When one last began or ended.
    var lastChange: Change { Change(signs: signs?.lastChange, board: board.changes(at: now())) }
}
