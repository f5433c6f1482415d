package import Evidence
package import Foundation
import Gate
import RunModel
import Storage
import TestResults

/// Rebuilds the store of a home from its run directories.
///
/// Reading them takes minutes, and a run that ends meanwhile is stored in the old file. So the directories are listed
/// again after the replacement, and new runs are stored.
package struct StoreRebuild {
    private let home: Home
    private let now: Date
    private let archive: RunArchive
    /// The run directories at the beginning.
    package let directories: [RunDirectory]
    /// How many runs were read and stored.
    package private(set) var count = 0
    /// The run directories that cannot be read, and why.
    package private(set) var unreadable: [String] = []
    private var isFilled = false

    /// Lists the run directories of a home.
    ///
    /// - Parameter now: The current time; no run can have begun later.
    package init(_ home: Home, now: Date) throws {
        self.home = home
        self.now = now
        archive = RunArchive(home: home)
        directories = try archive.directories()
    }

    /// How many of the runs at the beginning have their files only among the objects, so that they cannot be read.
    package var droppedCount: Int {
        let dropped = DroppedRuns(home)
        return Self.ids(directories).count { dropped.isDropped($0) }
    }

    private var fresh: String { home.database + ".rebuilding" }

    /// How many results of the store have no run directory or, after the new database is filled, are not in it.
    ///
    /// For a damaged store this is unknown; it is moved aside and not replaced.
    package func losses() throws -> Int {
        guard home.hasStore else { return 0 }
        var kept = Self.ids(try isFilled ? lateDirectories() : directories)
        if isFilled { kept.formUnion(try RunStore.reading(fresh).allRunIDs()) }
        let stored: Set<RunID>
        do {
            stored = try RunStore.reading(home.database).allRunIDs()
        } catch {
            guard case .corrupted = error else { throw error }
            return 0
        }
        return stored.subtracting(kept).count
    }

    /// Fills a new database from the run directories.
    package mutating func fill() throws {
        try archive.removeDatabase(at: fresh)
        let store = try RunStore(path: fresh)
        // Before the runs, whose failures are told with what was known of them.
        try CulpritLedger(home).restore(into: store)
        try take(directories, into: store)
        isFilled = true
    }

    /// Removes the new database.
    package func discard() throws { try archive.removeDatabase(at: fresh) }

    /// Replaces the old database by the new one, then stores the runs that ended meanwhile.
    package mutating func replace() throws {
        try RunStore.replace(databaseAt: home.database, with: fresh)
        // The index is not that of a snapshot any more.
        try? FileManager.default.removeItem(atPath: home.restoring)
        let store = try RunStore(path: home.database)
        try CulpritLedger(home).restore(into: store)
        try take(try lateDirectories(), into: store)
    }

    /// The run directories that are new since the beginning.
    private func lateDirectories() throws -> [RunDirectory] {
        let known = Set(directories)
        return try archive.directories().filter { !known.contains($0) }
    }

    private static func ids(_ directories: [RunDirectory]) -> Set<RunID> {
        Set(directories.compactMap(id))
    }

    /// The run id in a directory's name.
    private static func id(_ directory: RunDirectory) -> RunID? {
        RunID((directory.path as NSString).lastPathComponent)
    }

    private mutating func take(_ directories: [RunDirectory], into store: RunStore) throws {
        for directory in directories {
            if let reason = try Self.take(directory, of: home, into: store, now: now) {
                unreadable.append("\(directory.path): \(reason)")
            } else {
                count += 1
            }
        }
    }

    /// Judges the run of a directory and stores it.
    ///
    /// - Returns: Why it cannot be read; `nil` if it is stored. One unreadable run must not stop all others.
    /// - Throws: An error of the store itself.
    static func take(_ directory: RunDirectory, of home: Home, into store: RunStore, now: Date) throws -> String? {
        do {
            let directory = try directory.remembered()
            let manifest = try directory.manifest()
            guard manifest.id == Self.id(directory) else {
                throw Problem(.badInput, "its manifest is that of run \(manifest.id)")
            }
            try manifest.checkTime(now: now, path: directory.path)
            var run = try TestRun.read(from: directory)
            run.project = try ProjectNames(home).current(run.project)
            let history = try run.lineHistory { store }
            let verdict = try Verdict(judging: run, in: directory, history: history) {
                try $0.past(of: run) { store }
            }
            _ = try store.ingest(run, verdict: verdict, runDirectory: directory.path)
            return nil
        } catch {
            guard let problem = Problem(explaining: error), Self.isOfRun(error) else { throw error }
            return problem.reason
        }
    }

    /// Whether an error is one of the run directory, and not of the store.
    private static func isOfRun(_ error: any Error) -> Bool {
        guard let error = error as? StorageError else { return true }
        if case .invalidRun = error { return true }
        return false
    }
}
