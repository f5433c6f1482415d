import Evidence
import Foundation
import RunModel

/// The runs in progress: those of this machine by their progress files, and those of others as they tell of them.
struct LiveRuns: Sendable {
    /// What a list of them depends on: it changes when one begins or ends.
    struct Change: Hashable {
        let progressFiles: ProgressFiles.Change?
        let remote: Int
    }

    /// Those of this machine; `nil` if they are not watched.
    let progressFiles: ProgressFiles?
    let remote = RemoteLiveRuns()
    /// The name that a project has now: who may see its runs is decided by that. Those of others are told of by it already.
    private let name: @Sendable (String) throws -> String
    let now: @Sendable () -> Date

    init(
        _ progressFiles: ProgressFiles?, name: @escaping @Sendable (String) throws -> String = { $0 },
        now: @escaping @Sendable () -> Date
    ) {
        (self.progressFiles, self.name, self.now) = (progressFiles, name, now)
    }

    /// The runs of wanted projects, the newest first. A run that is told of and runs here is one of this machine.
    ///
    /// - Parameter isWanted: Whether a project is wanted, by the name that it has now; all are by default.
    func running(where isWanted: (String) -> Bool = { _ in true }) -> [LiveEntry] {
        let here = progressFiles?.running { run in (try? name(run.project)).map(isWanted) ?? false } ?? []
        let own = here.compactMap(named)
        let others = remote.running(at: now()).filter { isWanted($0.run.project) }
        guard !others.isEmpty else { return own }
        let known = Set(own.map(\.run.runID))
        return (own + others.filter { !known.contains($0.run.runID) }).sorted { $0.run.runID > $1.run.runID }
    }

    /// A run; `nil` when nothing is known of it.
    func find(_ id: RunID) -> LiveEntry? {
        guard let own = progressFiles?.find(id) else { return remote.find(id, at: now()) }
        return named(own)
    }

    /// The same with the name that its project has now; `nil` where nobody knows that, so that nobody sees it by an old one.
    private func named(_ entry: LiveEntry) -> LiveEntry? {
        guard let project = try? name(entry.run.project) else { return nil }
        var entry = entry
        entry.run.project = project
        return entry
    }

    /// When one last began or ended.
    var lastChange: Change { Change(progressFiles: progressFiles?.lastChange, remote: remote.changes(at: now())) }
}
