import Dashboard
import Evidence
package import Foundation
import Objects
import RunModel
import Storage
import Synchronization

/// Takes in the runs that machines have put into the inbox of a store of objects, as deliveries of machines that nobody trusts.
///
/// Whoever can put there can put anything there. So each offer has the limits of a delivery, what is wrong with one is said once, and
/// nothing there keeps a server from the other offers.
package final class InboxReader: Sendable {
    /// What may be taken in.
    package struct Limits: Sendable {
        /// How many bytes of one name in a day.
        package let dailyBytes: Int
        /// The least share of the disk that must be free, 0 to 1.
        package let leastFree: Double

        /// Makes limits from their parts.
        package init(dailyBytes: Int, leastFree: Double) {
            self.dailyBytes = dailyBytes
            self.leastFree = leastFree
        }
    }

    /// What became of an offer.
    private enum Outcome {
        /// It is kept, and not needed any more.
        case taken
        /// Some of its files are not there, or not listed yet.
        case incomplete
        /// It may be taken later: this server has no room or no turn for it.
        case notNow
        /// The store does not give it, or it cannot be handled here: why.
        case unreadable(String)
        /// It never will be: why.
        case refused(String)
    }

    /// How long to wait until the inbox is listed again.
    private static let pause = Duration.seconds(10)
    /// To how many projects runs of one name may be delivered, as for a token.
    private static let mostProjects = 1_000
    /// How many files a run may have, as a list of a delivery has.
    private static let mostFiles = 40_000
    /// How many bytes the manifests of all shards have together at most, as in a delivery.
    private static let mostOfShards = 2 * RunManifest.largest
    /// How many files are removed before more are listed.
    private static let batch = 256
    /// After how many runs in a row of which the store gives nothing it is taken for away.
    private static let mostFailed = 3
    /// After how many seconds a run is tried again that could not be read for long.
    private static let longPause: TimeInterval = 3_600

    private let objects: RunObjects
    private let intake: DeliveryIntake
    private let limits: Limits
    private let now: @Sendable () -> Date
    private let ledger: InboxLedger

    package init(
        _ objects: RunObjects, _ intake: DeliveryIntake, _ limits: Limits, now: @escaping @Sendable () -> Date
    ) {
        ledger = InboxLedger(intake.checkpoint.home)
        (self.objects, self.intake, self.limits, self.now) = (objects, intake, limits, now)
    }

    /// Reads until the task is cancelled.
    ///
    /// - Parameter turn: Takes a run in among those that are delivered here.
    package func run(_ turn: DeliveryIntake.Turn) async {
        var (memory, isAway, failures) = (InboxMemory(), false, 0)
        while !Task.isCancelled {
            do {
                try await look(&memory, turn)
                if isAway { StandardStreams.tell("kanmon: the inbox is read again") }
                (isAway, failures) = (false, 0)
            } catch {
                // Once, and not every few seconds.
                if !isAway, !Task.isCancelled { StandardStreams.tell("kanmon: the inbox is read later: \(error)") }
                isAway = true
                failures += 1
            }
            try? await Task.sleep(for: LookPause.pause(Self.pause, after: failures, share: .random(in: 0...1)))
        }
    }

    /// Lists the inbox once, and takes in what is there: of each name no more than its share.
    ///
    /// - Throws: `ObjectError` of a store that does not answer.
    func look(_ memory: inout InboxMemory, _ turn: DeliveryIntake.Turn) async throws {
        var after: String?
        var passed: Name?
        // Those in a row of which the store gives nothing. Where it is away, that is nothing that they are known for.
        var failed: [(object: ObjectPage.Entry, reason: String)] = []
        var absent = ledger.names()
        repeat {
            let page = try await objects.store.list(
                in: RunKey.key(RunKey.inboxRuns), after: after, limit: ObjectPage.largest,
                until: ContinuousClock.now + RunObjects.patience)
            after = page.next
            for entry in page.entries {
                InboxLedger.remove(entry.key, from: &absent)
                let name = Self.name(in: entry.key)
                if name == passed || !memory.isDue(entry.key, at: now()) { continue }
                if ledger.entry(of: entry, in: objects.place)?.isGivenUp == true {
                    memory.delay(entry.key, at: now())
                    continue
                }
                do {
                    if try await settle(entry, under: name.text, &memory, turn) {
                        for run in failed { note(run.object, run.reason, &memory) }
                        failed = []
                    } else {
                        passed = name
                    }
                } catch let error as ObjectError {
                    // What the store does not give of one run keeps no other name from its own; a store that is away does.
                    failed.append((entry, "\(error)"))
                    memory.delay(entry.key, at: now())
                    guard error.kind != .settings, failed.count < Self.mostFailed, !Task.isCancelled else {
                        throw error
                    }
                    passed = name
                }
            }
            if let next = after, let passed, page.entries.last.map({ Self.name(in: $0.key) }) == passed {
                // Behind all that is below the name: a zero follows the slash.
                after = max(Name(next), Name("\(RunKey.inboxRuns)/\(passed.text)0")).text
                // Not all were listed.
                absent = []
            }
        } while after != nil
        for run in failed { note(run.object, run.reason, &memory) }
        ledger.forget(absent)
    }

    /// Notes that a run cannot be read, and says so once. It is tried more and more seldom, and in the end not any more.
    private func note(_ object: ObjectPage.Entry, _ reason: String, _ memory: inout InboxMemory) {
        memory.delay(object.key, at: now())
        // Both are words of somebody else.
        let shown = "\(ObjectError.shown(object.key.text)): \(ObjectError.shown(reason))"
        // Where that cannot be written down, it is tried as before.
        let entry = try? ledger.add(object, in: objects.place, because: reason, at: now())
        guard let entry, entry.isToTell else {
            if memory.isNews(object.key) {
                StandardStreams.tell("kanmon: a run of the inbox is looked at later: \(shown)")
            }
            return
        }
        if entry.isGivenUp {
            StandardStreams.tell(
                """
                kanmon: a run of the inbox is given up after \(entry.attempts) attempts: \(shown)
                Try: kanmon objects check --repair \(objects.place), when it can be read
                """)
        } else {
            memory.delay(object.key, at: now(), for: Self.longPause)
        }
    }

    /// The part of a key that a name has, whatever it is.
    private static func name(in key: ObjectKey) -> Name {
        Name(key.text.split(separator: "/").dropFirst(3).first ?? "")
    }

    /// Handles an object of the inbox; returns whether there may be more under its name now.
    private func settle(
        _ object: ObjectPage.Entry, under name: String, _ memory: inout InboxMemory, _ turn: DeliveryIntake.Turn
    ) async throws -> Bool {
        let (key, moment) = (object.key, now())
        guard intake.blobs.freeShare >= limits.leastFree, memory.bytes(of: name, at: moment) < limits.dailyBytes,
            memory.admit(name, at: moment)
        else { return false }
        guard let offer = InboxOffer(key) else {
            try await refuse(key, "it is the key of no run", folder: nil, &memory)
            return true
        }
        let room = FetchRoom(Delivery.largestRun)
        // What was fetched is on the disk, whatever becomes of it.
        defer { memory.count(room.bytes, of: name, at: moment) }
        switch try await outcome(of: offer, room, turn) {
        case .taken: try await forget(key, folder: offer.folder, &memory, mayRepeat: true)
        case .notNow: memory.delay(key, at: moment)
        case .unreadable(let reason): note(object, reason, &memory)
        case .incomplete:
            guard memory.wait(for: key, at: moment) else {
                try await refuse(key, "some of its files are not there", folder: offer.folder, &memory)
                return true
            }
        case .refused(let reason): try await refuse(key, reason, folder: offer.folder, &memory)
        }
        return true
    }

    /// Says what is wrong with an object of the inbox, and removes it.
    private func refuse(_ key: ObjectKey, _ reason: String, folder: String?, _ memory: inout InboxMemory) async throws {
        // Both are words of somebody else.
        StandardStreams.tell(
            "kanmon: what \(ObjectError.shown(key.text)) names is not taken: \(ObjectError.shown(reason))")
        try await forget(key, folder: folder, &memory, mayRepeat: false)
    }

    /// Removes an object of the inbox, with the files of a run. What cannot be removed is not read again.
    ///
    /// - Parameter mayRepeat: Whether it is looked at again where it may be removed later.
    private func forget(
        _ key: ObjectKey, folder: String?, _ memory: inout InboxMemory, mayRepeat: Bool
    ) async throws {
        memory.end(key)
        ledger.forget(key)
        do {
            if let folder { try await removeFiles(in: folder) }
            try await remove(key)
        } catch {
            guard !(mayRepeat && error.mayPass), let failure = error as? ObjectError else { throw error }
            memory.ignore(key)
            // Both are words of somebody else.
            StandardStreams.tell(
                """
                kanmon: what \(ObjectError.shown(key.text)) names cannot be removed, and is not read again until the server \
                is restarted: \(failure)
                """)
        }
    }

    /// Removes the files of a run. What is more than a run has is left to a sweep.
    private func removeFiles(in folder: String) async throws {
        var (files, count) = (ObjectCursor(objects, in: folder), 0)
        var batch: [ObjectKey] = []
        while count < Self.mostFiles, let file = try await files.next() {
            batch.append(file.key)
            count += 1
            guard batch.count == Self.batch else { continue }
            try await RunObjects.each(batch) { [self] in try await remove($0) }
            batch = []
        }
        try await RunObjects.each(batch) { [self] in try await remove($0) }
    }

    private func remove(_ key: ObjectKey) async throws {
        try await objects.store.delete(key, until: ContinuousClock.now + RunObjects.patience)
    }

    /// Takes in an offer.
    ///
    /// - Throws: `ObjectError` of a store that does not answer.
    private func outcome(
        of offer: InboxOffer, _ room: FetchRoom, _ turn: DeliveryIntake.Turn
    ) async throws -> Outcome {
        let intake = intake
        do {
            intake.checkpoint.home.prepare()
            let files = intake.blobs.sent(by: offer.token)
            guard let delivery = try await fetch(offer, into: files, room) else { return .incomplete }
            let record = DeliveryRecord(token: offer.token, isAttested: false, receivedAt: now(), address: nil)
            let arrival = Arrival(offer.run, of: delivery.project, manifest: offer.manifest, record)
            // Another server may have been faster.
            if try await objects.has(arrival) { return .taken }
            if try hasTooManyProjects(offer, delivery.project) {
                return .refused("runs of \(Self.mostProjects) projects have come under '\(offer.name)', the limit")
            }
            let state = Mutex(DeliveryReceipt.State.incomplete)
            try await turn(offer.token, delivery.project) {
                let sender = DeliverySender(record: record, identity: offer.token)
                let receipt = try intake.take(offer.run, delivery, from: sender)
                state.withLock { $0 = receipt.state }
            }
            let last = state.withLock { $0 }
            return last == .incomplete ? .incomplete : .taken
        } catch let refusal as DeliveryRefusal {
            switch refusal {
            case .conflict(let reason), .impossible(let reason), .tooLarge(let reason): return .refused(reason)
            case .notNow, .full: return .notNow
            }
        } catch let error as EvidenceError {
            return error.isBadInput ? .refused("\(error)") : .notNow
        } catch let error as ObjectError {
            switch error.kind {
            case .tooLarge: return .refused("\(error)")
            // What one object makes of the store's answer is no reason to leave the others.
            case .failed, .unreadable: return .unreadable("\(error)")
            case .later, .refused, .settings, .disk: throw error
            }
        } catch {
            return Task.isCancelled ? .notNow : .unreadable("\(error)")
        }
    }

    private func hasTooManyProjects(_ offer: InboxOffer, _ project: String) throws -> Bool {
        let home = intake.checkpoint.home
        guard home.hasStore else { return false }
        let own = try RunStore.reading(home.database).projects(ofSender: offer.token, with: project)
        return !own.isOneOfThem && own.count >= Self.mostProjects
    }

    /// Fetches the files of an offer, as far as they are of a run that may be delivered; `nil` if some are not there.
    ///
    /// - Throws: `EvidenceError` for what can be no run; `ObjectError`.
    private func fetch(
        _ offer: InboxOffer, into blobs: BlobStore, _ room: FetchRoom
    ) async throws -> Delivery? {
        guard try await fetch(offer.manifest, of: offer, into: blobs, room) else { return nil }
        // The manifests of shards name more files once they are here.
        for _ in 0..<3 {
            guard let run = try PartialRun(manifest: offer.manifest, in: blobs) else { return nil }
            var shards = 0
            for shard in run.missingShards {
                guard try await fetch(shard, of: offer, into: blobs, room) else { return nil }
                shards += blobs.size(of: shard) ?? 0
                guard shards <= Self.mostOfShards else {
                    let reason = "the manifests of all shards have more than \(Self.mostOfShards) bytes"
                    throw EvidenceError.tooLarge(file: "the run", reason: reason)
                }
            }
            guard run.missingShards.isEmpty else { continue }
            guard run.delivery.files.count + run.missing.count <= Self.mostFiles else {
                throw EvidenceError.tooLarge(file: "the run", reason: "more than \(Self.mostFiles) files")
            }
            guard !run.missing.isEmpty else {
                try run.delivery.checkProject()
                try run.delivery.check()
                return run.delivery
            }
            let isWhole = Mutex(true)
            try await RunObjects.each(run.missing.map(\.sha256)) { [self] sha256 in
                let isThere = try await fetch(sha256, of: offer, into: blobs, room)
                if !isThere { isWhole.withLock { $0 = false } }
            }
            guard isWhole.withLock({ $0 }) else { return nil }
        }
        return nil
    }

    /// Fetches a file; returns whether it is there.
    private func fetch(
        _ sha256: String, of offer: InboxOffer, into blobs: BlobStore, _ room: FetchRoom
    ) async throws -> Bool {
        if blobs.size(of: sha256) != nil { return true }
        try room.check()
        do {
            guard try await objects.fetch(sha256, at: offer.file(sha256), into: blobs) else { return false }
        } catch let error as EvidenceError {
            // Something came, and nobody knows how much.
            room.take(BlobStore.largest)
            throw error
        }
        room.take(blobs.size(of: sha256) ?? 0)
        return true
    }
}

/// How many bytes may still be fetched. Files that are fetched at a time may go beyond it by their size.
private final class FetchRoom: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) { self.most = most }

    /// How many bytes were fetched.
    var bytes: Int { taken.withLock { $0 } }

    /// - Throws: `EvidenceError.tooLarge` if there is no room for another file.
    func check() throws(EvidenceError) {
        guard bytes <= most else {
            throw .tooLarge(file: "the run", reason: "more than \(most) bytes")
        }
    }

    func take(_ bytes: Int) { taken.withLock { $0 += bytes } }
}
