import Access
import Evidence
package import Foundation
import Gate
import Objects
import RunModel
import Synchronization

/// Brings the run directories of delivered runs back from the objects into a home, so that a rebuild finds them.
///
/// If it was interrupted, the next call continues where it stopped: what is here is not fetched.
package struct RunRestoration: Sendable {
    /// What came of the runs among the objects.
    package struct Report: Sendable, Hashable {
        /// How many run directories were here already.
        package internal(set) var present = 0
        /// How many were made.
        package internal(set) var restored = 0
        /// The runs that cannot be brought back, and why.
        package internal(set) var lost: [String] = []
        /// The tokens for which nobody vouches, as the list of tokens here does not have them.
        package internal(set) var strangers: Set<String> = []
    }

    /// What came of one run.
    enum Outcome: Sendable, Hashable {
        /// Its directory is here, and as the objects have it.
        case present(RunDirectory)
        /// How it came is another record now.
        case updated(RunDirectory)
        /// Its directory was made.
        case restored(RunDirectory)
        /// Its project was removed here after it had arrived.
        case removed
        /// It cannot be brought back: why.
        case lost(String)
    }

    private let objects: RunObjects
    private let home: Home
    private let now: Date
    private let trust: TokenTrust
    private let blobs: BlobStore
    private let dropped: DroppedRuns
    private let willChange: @Sendable (RunID, RunDirectory) throws -> Void

    /// Makes a restoration.
    ///
    /// - Parameter now: The current time; no run can have begun later.
    package init(_ objects: RunObjects, into home: Home, now: Date) throws {
        try self.init(objects, into: home, now: now) { _, _ in }
    }

    /// Makes a restoration that tells of each run directory before it makes or changes it.
    init(
        _ objects: RunObjects, into home: Home, now: Date,
        willChange: @escaping @Sendable (RunID, RunDirectory) throws -> Void
    ) throws {
        self.objects = objects
        self.home = home
        self.now = now
        self.willChange = willChange
        trust = TokenTrust(try TokenFile(path: home.tokens).tokens())
        dropped = DroppedRuns(home)
        // No sender has such an identity.
        blobs = BlobStore(path: home.blobs).sent(by: "objects")
    }

    /// Brings every run back.
    ///
    /// - Parameter progress: Is told how many runs were looked at.
    /// - Throws: `ObjectError` for a store that does not answer, `EvidenceError` for the disk.
    package func restoreAll(progress: (Int) -> Void) async throws -> Report {
        home.prepare()
        var report = Report()
        var count = 0
        try await objects.forEachRun { place in
            switch try await restore(place, &report.strangers) {
            case .present, .updated: report.present += 1
            case .restored: report.restored += 1
            case .removed: break
            case .lost(let reason): report.lost.append("run \(place.id): \(reason)")
            }
            count += 1
            progress(count)
        }
        // A server that follows the others need not look at all of it again.
        if report.lost.isEmpty { try KnownLog(home).write(now, of: objects.place) }
        return report
    }

    /// Brings a run back, and notes who vouched for it and is not known here.
    func restore(_ place: RunPlace, _ strangers: inout Set<String>) async throws -> Outcome {
        let arrivals = try await objects.arrivals(of: place).read
        let vouched = arrivals.values.map(\.delivery).filter { $0.isAttested && !trust.knows($0.token) }
        strangers.formUnion(vouched.map(\.token))
        return try await restore(place, arrivals, withFiles: true)
    }

    /// Brings a run up to date that the log names. The files of one that is the same are left where they are.
    ///
    /// - Returns: `nil` where it has not arrived.
    func restore(_ entry: LogEntry) async throws -> Outcome? {
        guard let arrivals = try await objects.arrivals(of: entry) else { return nil }
        let named = try RunKey.arrival(of: entry.place, at: entry.moment, server: entry.server)
        if arrivals.unreadable.contains(named.text) { return .lost("\(named) cannot be read") }
        return try await restore(entry.place, arrivals.read, withFiles: false)
    }

    private func restore(
        _ place: RunPlace, _ arrivals: [String: Arrival], withFiles needsFiles: Bool
    ) async throws -> Outcome {
        guard let project = arrivals.values.first?.project else { return .lost("none of its arrivals can be read") }
        let removal = try ProjectNames(home).removal(of: project)
        let later = arrivals.filter { _, arrival in removal.map { arrival.delivery.receivedAt > $0 } ?? true }
        guard let choice = RunChoice(later, by: trust) else { return .removed }
        let kept = RunDirectory(path: home.runDirectory(project: choice.project, id: choice.run))
        if kept.isThere, let outcome = try settled(kept, choice, withFiles: needsFiles) { return outcome }
        do {
            return try await make(kept, choice, place)
        } catch let error as EvidenceError where error.isBadInput {
            return .lost("\(error)")
        } catch let error as ObjectError where error.isOfOneObject {
            return .lost("\(error)")
        }
    }

    /// What becomes of the run directory that is here; `nil` if it gives way. How it came is brought up to date.
    private func settled(
        _ kept: RunDirectory, _ choice: RunChoice, withFiles needsFiles: Bool
    ) throws -> Outcome? {
        // One of this machine itself was not delivered to it.
        guard let record = try kept.delivery() else { return .present(kept) }
        let manifest = try kept.manifestDigest()
        guard manifest == choice.manifest else {
            // What was delivered before there were objects stays as it would then have stayed.
            let isOther = manifest.map { choice.others.contains($0) } ?? false
            let stays = !isOther && (try? kept.manifest()) != nil && !choice.delivery.isTrustedMore(than: record)
            return stays ? .present(kept) : nil
        }
        let tokens = [record.token] + (record.others ?? [])
        let isCovered = tokens.allSatisfy { choice.delivery.isDelivered(by: $0) }
        let united = isCovered ? choice.delivery : record.united(with: choice.delivery)
        let isDropped = dropped.isDropped(choice.run)
        guard united != record else { return isDropped && needsFiles ? nil : .present(kept) }
        // It is judged again, and without its files cannot be.
        guard !isDropped else { return nil }
        try willChange(choice.run, kept)
        try kept.replaceDelivery(by: united)
        return .updated(kept)
    }

    /// Makes the run directory of a run.
    private func make(_ kept: RunDirectory, _ choice: RunChoice, _ place: RunPlace) async throws -> Outcome {
        let key = try RunKey.manifest(choice.manifest, of: place)
        guard try await objects.fetch(choice.manifest, at: key, into: blobs) else {
            return .lost("its manifest is not among the objects")
        }
        // The manifests of shards name more files once they are here.
        for _ in 0..<3 {
            guard let run = try PartialRun(manifest: choice.manifest, in: blobs) else { break }
            guard !run.missing.isEmpty else {
                try run.delivery.check()
                let whole = try WholeDelivery(run.delivery, of: choice.run, in: blobs)
                try whole.manifest.checkTime(now: now, path: RunManifest.fileName)
                let staged = try IncomingRun(whole, for: kept.path, replacing: kept.isThere, record: choice.delivery)
                // What is delivered at this moment has its row and its place before this, or finds this in its place.
                let lock = PlaceLock(around: kept)
                defer { withExtendedLifetime(lock) {} }
                do {
                    try willChange(choice.run, kept)
                    let directory = try staged.keep()
                    dropped.forget(choice.run)
                    return .restored(directory)
                } catch {
                    staged.discard()
                    // Whoever has made it at this moment may have stored it before it was told of here.
                    try? willChange(choice.run, kept)
                    throw error
                }
            }
            let gone = try await fetch(run.missing.map(\.sha256))
            guard gone == 0 else {
                return .lost("files that are not among the objects: \(gone)")
            }
        }
        return .lost("its files were removed here while they were fetched")
    }

    /// Fetches files; answers with how many are not there.
    private func fetch(_ files: [String]) async throws -> Int {
        let gone = Mutex(0)
        try await RunObjects.each(files) { sha256 in
            let isThere = try await objects.fetch(sha256, at: RunKey.blob(sha256), into: blobs)
            if !isThere { gone.withLock { $0 += 1 } }
        }
        return gone.withLock { $0 }
    }
}
