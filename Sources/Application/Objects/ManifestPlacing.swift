import Evidence
import Objects
import RunModel
import Synchronization

/// Makes the run directories of runs whose rows came with a snapshot of an index. Of their files only the manifests are brought: the others
/// stay among the objects, as those of runs that were dropped, and are fetched when they are needed.
struct ManifestPlacing: Sendable {
    /// A run that is stored here, and has no directory.
    struct Run: Sendable {
        /// Where its arrivals are.
        let place: RunPlace
        /// The SHA-256 of each manifest that is listed under its id.
        let manifests: [String]
        /// Where its directory belongs, as its row says.
        let directory: String
        /// How it came, as its row says.
        let record: DeliveryRecord
    }

    private let objects: RunObjects
    private let home: Home
    private let trust: TokenTrust
    private let dropped: DroppedRuns

    init(_ objects: RunObjects, into home: Home, trust: TokenTrust) {
        self.objects = objects
        self.home = home
        self.trust = trust
        dropped = DroppedRuns(home)
    }

    /// Makes the directories of some runs.
    ///
    /// - Returns: Which runs have none now, and why, in the order of their ids.
    /// - Throws: `ObjectError` of a store that does not answer; `EvidenceError` for the disk.
    func place(_ runs: [Run]) async throws -> [String] {
        let lost = Mutex<[RunID: String]>([:])
        try await RunObjects.each(runs) { run in
            let reason: String?
            do {
                reason = try await make(run)
            } catch let error as EvidenceError where error.isBadInput {
                reason = "\(error)"
            } catch let error as ObjectError where error.isOfOneObject {
                reason = "\(error)"
            }
            if let reason { lost.withLock { $0[run.place.id] = reason } }
        }
        return lost.withLock { $0 }.sorted { $0.key < $1.key }.map { "run \($0.key): \($0.value)" }
    }

    /// Makes the directory of a run; answers with why that cannot be done.
    private func make(_ run: Run) async throws -> String? {
        let id = run.place.id
        guard let manifest = try await manifest(of: run) else { return "none of its arrivals can be read" }
        let key = try RunKey.manifest(manifest, of: run.place)
        var found = try await objects.wholeBytes(of: key, named: key, limit: RunManifest.largest)
        // A sweep may have set it aside while the run arrived.
        if found == nil { found = try await objects.copiedBytes(of: key, limit: RunManifest.largest) }
        guard let bytes = found else { return "its manifest is not among the objects" }
        let contents = try RunManifest.decoded(bytes, path: RunManifest.fileName)
        guard contents.id == id, RunPlace(id, of: contents.project) == run.place else {
            return "its manifest is that of another run"
        }
        // Another project has the row of this id.
        guard run.directory == home.runDirectory(project: contents.project, id: id) else { return nil }
        let directory = RunDirectory(path: run.directory)
        // First, so that nobody who finds the directory takes its files for lost.
        try dropped.add(
            id, DroppedRuns.Entry(place: objects.place, directory: run.directory, manifest: manifest, bytes: 0))
        do {
            try directory.makeWithoutFiles(manifest: bytes, run.record)
        } catch {
            // A server may have taken in the run, or brought it back, at this moment.
            guard directory.isThere else { throw error }
            if !directory.hasOnlyManifest { dropped.forget(id) }
        }
        return nil
    }

    /// The SHA-256 of the manifest that counts; `nil` where that cannot be known.
    private func manifest(of run: Run) async throws -> String? {
        // It was there before the run arrived. Where there are several, the arrivals say which of them counts.
        if run.manifests.count == 1 { return run.manifests[0] }
        return RunChoice(try await objects.arrivals(of: run.place).read, by: trust)?.manifest
    }
}
