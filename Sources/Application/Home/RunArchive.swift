package import Evidence
package import Foundation
import Gate
import RunModel
package import Storage
import Synchronization

/// The run directories of a home.
package struct RunArchive: Sendable {
    let home: Home

    package init(home: Home) { self.home = home }

    /// Every complete run directory, ordered by run id, so that a rebuild ingests them in their original order.
    package func directories() throws -> [RunDirectory] {
        var found: [(id: RunID, directory: RunDirectory)] = []
        try forEachPlace { found.append(($0, $1)) }
        return found.sorted { $0.id < $1.id }.map(\.directory).filter(\.isThere)
    }

    /// Calls `body` with every folder that is named like a run. Of the names, only those of one project are in memory at a time.
    private func forEachPlace(_ body: (RunID, RunDirectory) throws -> Void) throws {
        guard FileManager.default.fileExists(atPath: home.runs) else { return }
        for project in try list(home.runs) where isFolder("\(home.runs)/\(project)") {
            let folder = "\(home.runs)/\(project)"
            for name in try list(folder) {
                if let id = RunID(name) { try body(id, RunDirectory(path: "\(folder)/\(name)")) }
            }
        }
    }

    /// The names in a folder; none if it was removed meanwhile.
    private func list(_ folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            throw Problem(.ioError, "failed to list \(home.runs): \(error.fileSystemReason)")
        }
    }

    /// The runs with a directory that are missing in the store, except waiting runs and runs in progress: the store
    /// was truncated, lost its log, or is an older copy. Only names are compared.
    ///
    /// - Throws: `CancellationError` as soon as `isCancelled` says so.
    private func missing(from store: RunStore?, now: Date, unless isCancelled: () -> Bool) throws -> [RunID] {
        let known: Set<RunID> = try store?.allRunIDs() ?? []
        var lost: [RunID: RunDirectory] = [:]
        try forEachPlace { id, directory in
            if isCancelled() { throw CancellationError() }
            if !known.contains(id), directory.isThere { lost[id] = directory }
        }
        guard !lost.isEmpty else { return [] }
        // A run is in progress, then it waits, then it is stored. In this order none is overlooked that gets on meanwhile.
        let progressFiles = ProgressFiles(path: home.progressFiles) { now }
        let left = try lost.keys.filter { id in
            if isCancelled() { throw CancellationError() }
            return progressFiles.find(id).map { $0.status == .gone } ?? true
        }
        let waiting = Set(Spool(home).waiting().map(\.id))
        let stored: Set<RunID> = try store?.allRunIDs() ?? []
        // One that was refused or removed meanwhile has no directory any more.
        return left.filter { !waiting.contains($0) && !stored.contains($0) && lost[$0]?.isThere == true }.sorted()
    }

    /// The same as `gap`, on a thread of its own, which ends when the task is cancelled: it takes as long as there are runs.
    ///
    /// - Throws: `CancellationError`; a `Problem` or `StorageError` where it cannot be known.
    package func gapAside(now: Date) async throws -> Problem? {
        let isCancelled = Mutex(false)
        return try await withTaskCancellationHandler {
            try await ThreadWait.onThread { [self] in
                // Its connections are its own: nobody else waits for one of them meanwhile.
                let store = try home.hasStore ? RunStore.reading(home.database) : nil
                return try gap(of: store, now: now) { isCancelled.withLock { $0 } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// The problem that the store lacks runs; `nil` if it does not.
    ///
    /// - Parameter isCancelled: Is asked again and again whether nobody wants to know any more.
    /// - Throws: `CancellationError` then.
    package func gap(of store: RunStore?, now: Date, unless isCancelled: () -> Bool = { false }) throws -> Problem? {
        let missing = try missing(from: store, now: now, unless: isCancelled)
        guard let last = missing.last else { return nil }
        let runs =
            missing.count == 1
            ? "a run that has a directory:" : "\(missing.count) runs that have directories, the last one"
        return Problem(.ioError, "the store lacks \(runs) \(last)", hint: "kanmon db rebuild")
    }

    /// Whether it is a folder, and not a stray file.
    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The partial directories of killed processes, with the time of their last change. Those of runs in progress are
    /// not included.
    package func leftovers() throws -> [(path: String, changed: Date)] {
        let files = FileManager.default
        guard files.fileExists(atPath: home.runs) else { return [] }
        let projects: [String]
        do {
            projects = try files.contentsOfDirectory(atPath: home.runs)
        } catch {
            throw Problem(.ioError, "failed to list \(home.runs): \(error.fileSystemReason)")
        }
        // One that was removed meanwhile was no leftover.
        return projects.flatMap { project -> [(path: String, changed: Date)] in
            let folder = "\(home.runs)/\(project)"
            return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted().compactMap { name in
                let path = "\(folder)/\(name)"
                guard name.contains(RunDirectory.Writer.partialMark), !ProgressFiles.isHeld(path),
                    let changed = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
                else { return nil }
                return (path, changed)
            }
        }
    }

    /// Removes a run directory for good.
    package func remove(_ directory: RunDirectory) throws {
        try remove(directory.path)
        // Nobody need ask the objects for the files of a run that has no directory.
        if let id = RunID((directory.path as NSString).lastPathComponent) { DroppedRuns(home).forget(id) }
    }

    /// Removes a folder of runs.
    package func remove(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Problem(.ioError, "failed to remove \(path): \(error.fileSystemReason)")
        }
    }

    /// Removes an unfinished database with SQLite's files beside it.
    func removeDatabase(at path: String) throws {
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw Problem(.ioError, "failed to remove \(file): \(error.fileSystemReason)")
            }
        }
    }
}
