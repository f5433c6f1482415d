import Access
import Evidence
package import Foundation
import Objects
import RunModel
import Storage

/// Brings the index of a lost disk back from a snapshot, and what has arrived since from the objects of the runs.
///
/// A snapshot saves judging, and is believed as far as another server is: each of its runs must have arrived, and be of whom the arrivals
/// say. What is not so is left out, and judged again like a run that the snapshot does not have.
package struct SnapshotRestoration: Sendable {
    /// How it begins.
    package enum Beginning: Sendable, Hashable {
        /// The index is that of a snapshot now.
        case taken(Taken)
        /// The index is that of a snapshot already, and an earlier restoration was ended before everything was here.
        case goesOn
        /// There is a store with runs here, or run directories: no snapshot takes their place.
        case notEmpty
        /// No snapshot can be used.
        case unusable
    }

    /// The snapshot that was taken.
    package struct Taken: Sendable, Hashable {
        /// Its name among the objects.
        package let name: String
        /// How many of its runs were taken.
        package let runs: Int
        /// How many were not, as no arrival says the same.
        package let leftOut: Int
    }

    /// What was brought back beside the index.
    package struct Report: Sendable, Hashable {
        /// What came of the runs whose files are all here.
        package internal(set) var directories = RunRestoration.Report()
        /// How many runs have their manifests here now, and all other files only among the objects.
        package internal(set) var left = 0
        /// How many runs were judged, as the snapshot does not have them, or does not have them so.
        package internal(set) var judged = 0
        /// The run directories that cannot be read, and why.
        package internal(set) var unreadable: [String] = []
    }

    /// How many rows are changed at a time.
    private static let batch = 1000
    /// How many manifests are brought until more runs are looked at.
    private static let manifestBatch = 256

    /// A project of the snapshot.
    private struct Project {
        /// The name that the manifests of its runs say.
        let said: String
        /// The name that it has now.
        let current: Name
    }

    private let objects: RunObjects
    private let home: Home
    private let now: Date
    private let trust: TokenTrust

    /// Makes a restoration.
    ///
    /// - Parameter now: The current time; no run can have begun later.
    package init(_ objects: RunObjects, into home: Home, now: Date) throws {
        self.objects = objects
        self.home = home
        self.now = now
        trust = TokenTrust(try TokenFile(path: home.tokens).tokens())
    }

    private var fresh: String { "\(home.database).rebuilding" }

    /// Puts the index of the newest snapshot in place that can be used.
    ///
    /// - Returns: What came of it, and why newer ones were not used.
    /// - Throws: `ObjectError` for a store that does not answer, `StorageError` for the disk.
    package func begin() async throws -> (beginning: Beginning, refused: [String]) {
        home.prepare()
        if try goesOn() { return (.goesOn, []) }
        guard try isEmpty() else { return (.notEmpty, []) }
        var refused: [String] = []
        for name in try await objects.snapshots().reversed() {
            switch try await take(name) {
            case .success(let taken): return (.taken(taken), refused)
            case .failure(let reason):
                try discard()
                refused.append("\(name.text): \(reason.text)")
            }
        }
        return (.unusable, refused)
    }

    /// Whether a restoration was begun here that only has to be ended.
    private func goesOn() throws -> Bool {
        guard let place = try SmallFile.read(home.restoring, limit: 64 << 10) else { return false }
        if home.hasStore, place == Array(objects.place.utf8),
            (try? RunStore.reading(home.database).isSound()) == true
        {
            return true
        }
        try end()
        return false
    }

    /// Notes that nothing is missing any more.
    private func end() throws {
        guard FileManager.default.fileExists(atPath: home.restoring) else { return }
        try FileManager.default.removeItem(atPath: home.restoring)
    }

    /// Whether there is nothing here that a snapshot would replace.
    private func isEmpty() throws -> Bool {
        guard try RunArchive(home: home).directories().isEmpty else { return false }
        // One that cannot be read may have had runs.
        return !home.hasStore || (try? RunStore.reading(home.database).isEmpty) == true
    }

    /// Why a snapshot cannot be used.
    private struct Refusal: Error { let text: String }

    /// Fetches a snapshot, checks it and puts its index in place.
    private func take(_ name: SnapshotName) async throws -> Result<Taken, Refusal> {
        guard let snapshot = try await objects.snapshot(name) else {
            return .failure(Refusal(text: "what it consists of cannot be read"))
        }
        guard snapshot.storeVersion == RunStore.schemaVersion else {
            let versions = "\(snapshot.storeVersion), and not \(RunStore.schemaVersion)"
            return .failure(Refusal(text: "its tables have the version \(versions)"))
        }
        guard snapshot.until.timeIntervalSince(now) <= LogPosition.window else {
            return .failure(Refusal(text: "it is of a time that is still to come"))
        }
        try discard()
        if let fault = try await objects.fetch(snapshot, name, to: fresh) { return .failure(Refusal(text: fault)) }
        let taken: Taken
        do {
            let copy = try RunStore.reading(fresh)
            guard try copy.isSound(), try copy.runCount() == snapshot.runs else {
                return .failure(Refusal(text: "its database is not one that Kanmon has made"))
            }
            taken = try await check(name, until: snapshot.until)
        } catch let error as StorageError where error.isOfContent {
            return .failure(Refusal(text: "\(error)".replacing(fresh, with: "of the snapshot")))
        }
        // From here on only what is missing has to be brought.
        try SmallFile.replace(home.restoring, with: Array(objects.place.utf8))
        try RunStore.replace(databaseAt: home.database, with: fresh)
        // A server that starts now follows the log from there.
        try KnownLog(home).write(snapshot.until, of: objects.place)
        try CulpritLedger(home).restore(into: RunStore(path: home.database))
        return .success(taken)
    }

    /// Removes what was fetched.
    private func discard() throws {
        try RunArchive(home: home).removeDatabase(at: fresh)
        try? FileManager.default.removeItem(atPath: "\(fresh).lock")
    }

    /// Leaves those runs in the database that was fetched of which the arrivals say the same.
    private func check(_ name: SnapshotName, until: Date) async throws -> Taken {
        let store = try RunStore(path: fresh)
        let projects = try projects(of: store)
        // What arrived before had arrived at every server when this one looked.
        let settled = until.addingTimeInterval(-LogPosition.window)
        var unseen = try store.allRunIDs()
        let count = unseen.count
        var paths: [RunID: String] = [:]
        try await objects.forEachArrived { place, newest in
            guard let project = projects[place.project], unseen.contains(place.id),
                let stored = try store.delivery(of: place.id), Name(stored.project) == project.current,
                let record = stored.record, trust.today(record) == record
            else { return }
            if newest >= settled || isDoubtful(record) {
                let arrivals = try await objects.arrivals(of: place).read
                guard let choice = RunChoice(arrivals, by: trust), choice.others.isEmpty, choice.delivery == record
                else { return }
            }
            unseen.remove(place.id)
            paths[place.id] = home.runDirectory(project: project.said, id: place.id)
            if paths.count >= Self.batch {
                try store.place(runDirectories: paths)
                paths = [:]
            }
        }
        try store.place(runDirectories: paths)
        try store.remove(runs: unseen)
        return Taken(name: name.text, runs: count - unseen.count, leftOut: unseen.count)
    }

    /// Whether somebody may vouch for a run by now for which nobody did on the server of the snapshot.
    private func isDoubtful(_ record: DeliveryRecord) -> Bool {
        !record.isAttested && (record.others != nil || record.distrustedAt != nil || trust.mayVouch(record.token))
    }

    /// The projects of a snapshot under their present names, by the parts of keys that stand for what manifests say. Those that were
    /// removed here are none.
    private func projects(of store: RunStore) throws -> [String: Project] {
        let names = ProjectNames(home)
        var projects: [String: Project] = [:]
        for name in try store.projectNames() {
            let current = try names.current(name)
            if Name(current) != Name(name) {
                do {
                    _ = try store.rename(project: name, to: current)
                } catch {
                    guard case .nameTaken = error else { throw error }
                    // Two projects are never merged: its runs are judged again.
                    continue
                }
            }
            for said in try names.all(of: current) {
                guard try names.removal(of: said) == nil else { continue }
                projects[Digest.sha256(Array(said.utf8))] = Project(said: said, current: Name(current))
            }
        }
        return projects
    }

    /// Brings back what belongs to the index: of the runs that it has the manifests, whose other files are fetched when
    /// they are needed, and of all others every file, with which they are judged. If it was interrupted, the next call
    /// continues where it stopped.
    ///
    /// - Parameter progress: Is told how many runs were looked at.
    /// - Throws: `ObjectError` for a store that does not answer, `EvidenceError` and `StorageError` for the disk.
    package func finish(progress: (Int) -> Void) async throws -> Report {
        let store = try RunStore(path: home.database)
        let restoration = try RunRestoration(objects, into: home, now: now)
        var report = Report()
        var count = 0
        var batch: [ManifestPlacing.Run] = []
        var runs = KeptRuns(objects)
        while let run = try await runs.next() {
            guard !run.arrivals.isEmpty else { continue }
            count += 1
            progress(count)
            let stored = try store.delivery(of: run.place.id)
            if let stored, let record = stored.record, let path = stored.runDirectory {
                let directory = RunDirectory(path: path)
                guard directory.isThere else {
                    batch.append(
                        ManifestPlacing.Run(
                            place: run.place, manifests: run.manifests.map { RunKey.end(of: $0.key) },
                            directory: path, record: record))
                    if batch.count == Self.manifestBatch {
                        try await place(batch, &report)
                        batch = []
                    }
                    continue
                }
                if try directory.delivery() == record {
                    report.directories.present += 1
                    continue
                }
            }
            switch try await restoration.restore(run.place, &report.directories.strangers) {
            case .removed: break
            case .lost(let reason): report.directories.lost.append("run \(run.place.id): \(reason)")
            case .present(let directory), .updated(let directory):
                report.directories.present += 1
                try judge(directory, of: run.place.id, unless: stored, into: store, &report)
            case .restored(let directory):
                report.directories.restored += 1
                try judge(directory, of: run.place.id, unless: stored, into: store, &report)
            }
        }
        try await place(batch, &report)
        guard report.directories.lost.isEmpty, report.unreadable.isEmpty else { return report }
        try KnownLog(home).write(now, of: objects.place)
        try end()
        return report
    }

    /// Makes the directories of some runs that the index has.
    private func place(_ runs: [ManifestPlacing.Run], _ report: inout Report) async throws {
        let lost = try await ManifestPlacing(objects, into: home, trust: trust).place(runs)
        report.left += runs.count - lost.count
        report.directories.lost += lost
    }

    /// Judges a run and stores it, unless it is stored as its directory says that it came.
    private func judge(
        _ directory: RunDirectory, of id: RunID, unless stored: StoredDelivery?, into store: RunStore,
        _ report: inout Report
    ) throws {
        if let stored {
            guard try directory.delivery() != stored.record else { return }
            try store.remove(run: id)
        }
        if let reason = try StoreRebuild.take(directory, of: home, into: store, now: now) {
            report.unreadable.append("\(directory.path): \(reason)")
        } else {
            report.judged += 1
        }
    }
}

extension StorageError {
    /// Whether what is wrong is what the file holds, and not the disk or the store around it.
    fileprivate var isOfContent: Bool {
        switch self {
        case .corrupted, .notAStore, .newerVersion, .failed: true
        default: false
        }
    }
}
