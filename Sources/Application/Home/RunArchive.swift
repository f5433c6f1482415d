package import Evidence
package import Foundation
import Gate
import RunModel
package import Storage

/// The run directories of a home.
package struct RunArchive: Sendable {
    let home: Home

    package init(home: Home) { self.home = home }

    /// Every complete run directory, ordered by run id, so that a rebuild ingests them in their original order.
    package func directories() throws -> [RunDirectory] {
        let files = FileManager.default
        guard files.fileExists(atPath: home.runs) else { return [] }
        do {
            return try files.contentsOfDirectory(atPath: home.runs)
                .filter { isFolder("\(home.runs)/\($0)") }
                .flatMap { project in
                    try files.contentsOfDirectory(atPath: "\(home.runs)/\(project)").map { (project, $0) }
                }
                .filter { RunID($0.1) != nil }
                .sorted { $0.1 < $1.1 }
                .map { RunDirectory(path: "\(home.runs)/\($0.0)/\($0.1)") }
                .filter(\.isThere)
        } catch {
            throw Problem(.ioError, "failed to list \(home.runs): \(error.fileSystemReason)")
        }
    }

    /// The runs with a directory that are missing in the store, except waiting runs and runs in progress: the store
    /// was truncated, lost its log, or is an older copy. Only names are compared.
    func missing(from store: RunStore?, now: Date) throws -> [RunID] {
        let kept = Set(try directories().compactMap { RunID(($0.path as NSString).lastPathComponent) })
        // After the directories: a run that ends in between is in the store.
        let waiting = Set(Spool(home).waiting().map(\.id))
        let progressFiles = ProgressFiles(path: home.progressFiles) { now }
        return try kept.subtracting(store?.allRunIDs() ?? []).subtracting(waiting)
            .filter { id in progressFiles.find(id).map { $0.status == .gone } ?? true }.sorted()
    }

    /// The problem that the store lacks runs; `nil` if it does not.
    package func gap(of store: RunStore?, now: Date) throws -> Problem? {
        let missing = try missing(from: store, now: now)
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
