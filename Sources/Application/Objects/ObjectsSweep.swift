import Evidence
package import Foundation
import Objects
import RunModel
import Synchronization

/// Removes what no run needs from a store of objects, while servers deliver to it.
///
/// Nobody can ask all servers whether they need a file at this moment, and no store is asked to remove something only if it is as it
/// was. So nothing goes at once that a delivery may have seen: it is old before it is touched, then it is set aside as a copy, and the copy
/// goes with a later sweep, which has looked at every arrival again and puts back what one needs. A delivery that has seen a file arrives
/// within minutes or not at all, long before that.
package struct ObjectsSweep: Sendable {
    /// How many hashes of files are in memory at most: about 75 MB. With more files the manifests are read again for each part of them.
    private static let mostHashes = 3_000_000
    /// How many runs are read before what they need is noted.
    private static let batch = 64
    /// Up to how many bytes files are copied several at a time.
    private static let smallFile = 1 << 20

    let objects: RunObjects
    let rules: Rules
    private let now: Date
    private let mostHashes: Int

    /// Makes a sweep.
    ///
    /// - Parameter now: The current time.
    package init(_ objects: RunObjects, _ rules: Rules, now: Date) {
        self.init(objects, rules, now: now, mostHashes: Self.mostHashes)
    }

    /// Makes a sweep that holds at most `mostHashes` hashes in memory.
    init(_ objects: RunObjects, _ rules: Rules, now: Date, mostHashes: Int) {
        self.objects = objects
        self.rules = rules
        self.now = now
        self.mostHashes = mostHashes
    }

    /// What was found so far.
    private struct Findings {
        var report = Report()
        /// How many objects were looked at.
        var looked = 0
    }

    /// Sweeps. If it was interrupted, the next sweep continues where it stopped.
    ///
    /// - Parameter progress: Is told how many objects were looked at.
    package func report(progress: (Int) -> Void) async throws -> Report {
        var found = Findings()
        var window = HashWindow(from: 0, most: mostHashes)
        try await readRuns(&window, &found, progress)
        if found.report.faults.isEmpty {
            for folder in [RunKey.manifests, RunKey.inboxFiles] { try await removeCopies(in: folder, &found) }
        }
        while found.report.faults.isEmpty {
            try await settleCopies(window, &found, progress)
            try await setAsideFiles(window, &found, progress)
            guard window.last < .max else { break }
            // The runs are counted already.
            window = HashWindow(from: window.last + 1, most: mostHashes)
            var again = Findings(looked: found.looked)
            try await readRuns(&window, &again, progress)
            (found.report.faults, found.looked) = (again.report.faults, again.looked)
        }
        try await sweepInbox(&found.report)
        if let oldest { try await removeLog(before: oldest, &found) }
        return found.report
    }

    /// Runs that arrived last before this moment go; `nil` where all stay.
    private var oldest: Date? { rules.keepDays.map { now.addingTimeInterval(-Double($0) * 86_400) } }

    /// Whether something that happened at a moment did so longer ago than deliveries last. What is not known is not so.
    func isOld(_ moment: Date?) -> Bool {
        moment.map { now.timeIntervalSince($0) > Double(rules.graceDays) * 86_400 } ?? false
    }

    // MARK: - Runs

    /// What was found of one run.
    private struct RunFinding: Sendable {
        let place: RunPlace
        var isKept = false
        var isRemoved = false
        var setAside = Count()
        var putBack = 0
        var notes: [String] = []
        var faults: [String] = []
        /// The beginnings of the hashes of the files that it needs.
        var needed: [UInt64] = []
    }

    /// Goes through all runs, removes old ones, and notes which files the others need.
    private func readRuns(
        _ window: inout HashWindow, _ found: inout Findings, _ progress: (Int) -> Void
    ) async throws {
        var runs = KeptRuns(objects)
        while true {
            var batch: [KeptRuns.Run] = []
            while batch.count < Self.batch, let run = try await runs.next() { batch.append(run) }
            guard !batch.isEmpty else { break }
            let read = Mutex<[RunFinding]>([])
            try await RunObjects.each(batch) { run in
                let finding = try await self.read(run)
                read.withLock { $0.append(finding) }
            }
            for finding in read.withLock({ $0 }).sorted(by: { $0.place < $1.place }) {
                Self.add(finding, to: &found.report)
                for hash in finding.needed { window.insert(hash) }
            }
            found.looked += batch.reduce(0) { $0 + $1.arrivals.count + $1.manifests.count }
            progress(found.looked)
        }
        found.report.notes = found.report.notes + runs.strangers
    }

    private static func add(_ finding: RunFinding, to report: inout Report) {
        if finding.isKept { report.runs += 1 }
        if finding.isRemoved { report.removedRuns += 1 }
        report.setAside.objects += finding.setAside.objects
        report.setAside.bytes += finding.setAside.bytes
        report.putBack += finding.putBack
        for note in finding.notes { report.notes.add(note) }
        for fault in finding.faults { report.faults.add(fault) }
    }

    /// Removes a run if it is old, sets aside its manifests with which nothing arrived, and reads what the others name.
    private func read(_ run: KeptRuns.Run) async throws -> RunFinding {
        var finding = RunFinding(place: run.place)
        var arrivals = run.arrivals
        if isPast(run) {
            finding.isRemoved = true
            if !rules.isDryRun {
                for entry in arrivals { try await remove(entry.key) }
            }
            arrivals = []
        }
        finding.isKept = !arrivals.isEmpty
        var named: Set<String> = []
        var isSure = true
        for entry in arrivals {
            guard entry.size <= Arrival.largest else {
                finding.faults.append("\(entry.key) cannot be read")
                continue
            }
            let bytes: [UInt8]?
            do throws(ObjectError) {
                bytes = try await objects.store.bytes(
                    of: entry.key, limit: Arrival.largest, until: ContinuousClock.now + RunObjects.patience)
            } catch {
                guard error.isOfOneObject else { throw error }
                finding.faults.append("\(entry.key) cannot be read: \(error)")
                continue
            }
            // One that has just gone may be that of another sweep.
            guard let bytes else {
                isSure = false
                continue
            }
            if let arrival = Arrival(bytes, at: run.place) {
                named.insert(arrival.manifest)
            } else {
                finding.faults.append("\(entry.key) cannot be read")
            }
        }
        for manifest in named.sorted() { try await note(manifest, run.place, &finding) }
        for entry in run.manifests {
            let manifest = RunKey.end(of: entry.key)
            guard !named.contains(manifest) else { continue }
            // A delivery may be about to arrive with it.
            guard isSure, finding.faults.isEmpty, isOld(entry.modified) else {
                try await note(manifest, run.place, &finding)
                continue
            }
            if try await setAside(entry, limit: RunManifest.largest) {
                finding.setAside.add(entry)
            } else {
                finding.notes.append("\(entry.key) is of no run and has another hash: it stays")
            }
        }
        return finding
    }

    /// Notes which files a manifest names, or that this cannot be known.
    private func note(_ manifest: String, _ place: RunPlace, _ finding: inout RunFinding) async throws {
        do {
            let files = try await needed(by: manifest, place, &finding)
            finding.needed += files
        } catch let error as EvidenceError where error.isBadInput {
            finding.faults.append("run \(place.id): the manifest \(manifest): \(error)")
        } catch let error as ObjectError where error.isOfOneObject {
            finding.faults.append("run \(place.id): the manifest \(manifest): \(error)")
        }
    }

    /// Whether a run arrived last so long ago that it goes.
    private func isPast(_ run: KeptRuns.Run) -> Bool {
        guard let oldest, !run.arrivals.isEmpty else { return false }
        return run.arrivals.allSatisfy { entry in RunKey.moment(ofArrival: entry.key).map { $0 < oldest } ?? false }
    }

    /// The files that a manifest names, by the beginnings of their hashes.
    ///
    /// - Throws: `EvidenceError` where that cannot be known.
    private func needed(
        by manifest: String, _ place: RunPlace, _ finding: inout RunFinding
    ) async throws -> [UInt64] {
        let key = try RunKey.manifest(manifest, of: place)
        let bytes = try await bytes(of: key, limit: RunManifest.largest, &finding)
        var needed = try NeededFiles(manifest: bytes)
        if !needed.missingShards.isEmpty {
            var shards: [String: [UInt8]] = [:]
            for shard in needed.missingShards {
                shards[shard] = try await self.bytes(of: RunKey.blob(shard), limit: RunManifest.largest, &finding)
            }
            needed = try NeededFiles(manifest: bytes, shards: shards)
        }
        return needed.files.map { HashWindow.beginning(of: $0) }
    }

    /// The bytes of a file or manifest that a run needs. One that was set aside is put back.
    private func bytes(of key: ObjectKey, limit: Int, _ finding: inout RunFinding) async throws -> [UInt8] {
        if let bytes = try await objects.wholeBytes(of: key, named: key, limit: limit) { return bytes }
        guard let bytes = try await objects.copiedBytes(of: key, limit: limit) else {
            throw EvidenceError.damaged(file: key.text, reason: "it is missing, or has another hash")
        }
        finding.putBack += 1
        if !rules.isDryRun {
            try await objects.store.put(
                ObjectContent(bytes), at: key, until: ContinuousClock.now + RunObjects.patience)
        }
        return bytes
    }

    // MARK: - Files

    /// Removes an object for good.
    func remove(_ key: ObjectKey) async throws {
        try await objects.store.delete(key, until: ContinuousClock.now + RunObjects.patience)
    }

    /// Sets an object aside; returns whether its content matches its key.
    func setAside(_ entry: ObjectPage.Entry, limit: Int) async throws -> Bool {
        if rules.isDryRun { return true }
        return try await objects.setAside(entry.key, limit: limit)
    }

    /// Removes old copies of manifests and files of the inbox. Those that are needed are back in their places: all runs were read.
    private func removeCopies(in folder: String, _ found: inout Findings) async throws {
        var copies = ObjectCursor(objects, in: RunKey.copies(in: folder))
        while let entry = try await copies.next() {
            guard let (_, moment) = RunKey.original(ofCopy: entry.key), isOld(moment) else { continue }
            found.report.removed.add(entry)
            if !rules.isDryRun { try await remove(entry.key) }
        }
    }

    /// Puts files back that runs need, and removes old copies.
    private func settleCopies(
        _ window: HashWindow, _ found: inout Findings, _ progress: (Int) -> Void
    ) async throws {
        let folder = RunKey.copies(in: RunKey.blobs)
        var copies = ObjectCursor(objects, in: folder, after: window.start(in: folder))
        var last: ObjectKey?
        while let entry = try await copies.next() {
            found.looked += 1
            progress(found.looked)
            guard let (original, moment) = RunKey.original(ofCopy: entry.key) else { continue }
            let hash = HashWindow.beginning(of: RunKey.end(of: original))
            guard hash <= window.last else { break }
            if window.contains(hash), original != last, try await isMissing(original) {
                // Where no copy is whole, a check tells what is missing, and these stay.
                if !rules.isDryRun {
                    guard try await objects.putBack(original, limit: BlobStore.largest) else { continue }
                }
                found.report.putBack += 1
            }
            last = original
            guard isOld(moment) else { continue }
            found.report.removed.add(entry)
            if !rules.isDryRun { try await remove(entry.key) }
        }
    }

    func isMissing(_ key: ObjectKey) async throws -> Bool {
        try await objects.store.head(key, until: ContinuousClock.now + RunObjects.patience) == nil
    }

    /// Sets aside the old files in a range that no run needs.
    private func setAsideFiles(
        _ window: HashWindow, _ found: inout Findings, _ progress: (Int) -> Void
    ) async throws {
        var files = ObjectCursor(objects, in: RunKey.blobs, after: window.start(in: RunKey.blobs))
        var batch: [ObjectPage.Entry] = []
        while let entry = try await files.next() {
            found.looked += 1
            progress(found.looked)
            let sha256 = RunKey.end(of: entry.key)
            guard Digest.isWellFormed(sha256), try RunKey.blob(sha256) == entry.key else {
                found.report.notes.add("\(entry.key) is no file of a run")
                continue
            }
            let hash = HashWindow.beginning(of: sha256)
            guard hash <= window.last else { break }
            guard !window.contains(hash) else { continue }
            guard isOld(entry.modified) else {
                found.report.young.add(entry)
                continue
            }
            batch.append(entry)
            if batch.count == Self.batch {
                try await setAside(batch, &found.report)
                batch = []
            }
        }
        try await setAside(batch, &found.report)
    }

    private func setAside(_ entries: [ObjectPage.Entry], _ report: inout Report) async throws {
        let stubborn = Mutex<Set<ObjectKey>>([])
        let work: @Sendable (ObjectPage.Entry) async throws -> Void = { entry in
            let isDone = try await setAside(entry, limit: BlobStore.largest)
            if !isDone { stubborn.withLock { _ = $0.insert(entry.key) } }
        }
        // Each is in memory while it is copied.
        try await RunObjects.each(entries.filter { $0.size <= Self.smallFile }, work)
        for entry in entries where entry.size > Self.smallFile { try await work(entry) }
        let others = stubborn.withLock { $0 }
        for entry in entries {
            if others.contains(entry.key) {
                report.notes.add("\(entry.key) is of no run and has another hash: it stays")
            } else {
                report.setAside.add(entry)
            }
        }
    }

    // MARK: - Log

    /// Removes what the log has of before a moment. Of each run that remains there is a later entry, written with its last arrival.
    private func removeLog(before moment: Date, _ found: inout Findings) async throws {
        let end = Name(RunKey.log(at: moment))
        var entries = ObjectCursor(objects, in: RunKey.logFolder)
        var old: [ObjectKey] = []
        while let entry = try await entries.next(), entry.key.name < end {
            guard LogEntry(entry.key) != nil else {
                found.report.notes.add("\(entry.key) is no entry of the log")
                continue
            }
            found.report.logEntries += 1
            old.append(entry.key)
            guard old.count == Self.batch else { continue }
            try await removeAll(old)
            old = []
        }
        try await removeAll(old)
    }

    private func removeAll(_ keys: [ObjectKey]) async throws {
        guard !rules.isDryRun else { return }
        try await RunObjects.each(keys) { try await remove($0) }
    }
}
