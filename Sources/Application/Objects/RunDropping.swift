package import Evidence
import Foundation
import Objects
import RunModel
import Synchronization

/// Removes the files of delivered runs from a home that are whole among the objects, from where they are fetched back when they are needed.
package struct RunDropping: Sendable {
    private let objects: RunObjects
    private let home: Home

    package init(_ objects: RunObjects, _ home: Home) {
        self.objects = objects
        self.home = home
    }

    /// Removes the files of a run: all but its manifest, and how it came.
    ///
    /// - Parameter isDryRun: Whether it is only found out whether they can be removed.
    /// - Returns: Their bytes; `nil` if they stay: the run was not delivered, is not stored yet, has lost them already, or one of them is not
    ///   among the objects.
    /// - Throws: `ObjectError` of a store that does not answer; `EvidenceError` for the disk.
    package func drop(_ directory: RunDirectory, isDryRun: Bool) async throws -> Int? {
        let dropped = DroppedRuns(home)
        guard let id = RunID((directory.path as NSString).lastPathComponent), !dropped.isDropped(id),
            try directory.delivery() != nil, Spool(home).directory(of: id) == nil,
            let manifest = try directory.manifestDigest()
        else { return nil }
        let files: [Delivery.File]
        let place: RunPlace
        do throws(EvidenceError) {
            let contents = try directory.manifest()
            guard contents.id == id else { return nil }
            place = RunPlace(id, of: contents.project)
            files = try directory.files()
        } catch {
            guard error.isBadInput else { throw error }
            return nil
        }
        guard try await objects.arrivals(of: place).read.values.contains(where: { $0.manifest == manifest }),
            try await areThere(files, of: place)
        else { return nil }
        let bytes = files.reduce(0) { $0 + $1.size }
        guard !isDryRun else { return bytes }
        // First, so that whoever misses a file knows where it is.
        try dropped.add(
            id,
            DroppedRuns.Entry(place: objects.place, directory: directory.path, manifest: manifest, bytes: bytes))
        try directory.dropFiles()
        dropped.removeFetched(id)
        return bytes
    }

    /// Whether the objects have every file with its size.
    private func areThere(_ files: [Delivery.File], of place: RunPlace) async throws -> Bool {
        let isWhole = Mutex(true)
        try await RunObjects.each(files) { file in
            let isManifest = file.path == RunManifest.fileName
            let key = try isManifest ? RunKey.manifest(file.sha256, of: place) : RunKey.blob(file.sha256)
            let size = try await objects.store.head(key, until: ContinuousClock.now + RunObjects.patience)
            if size != file.size { isWhole.withLock { $0 = false } }
        }
        return isWhole.withLock { $0 }
    }
}
