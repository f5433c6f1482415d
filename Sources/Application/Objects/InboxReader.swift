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
        /// It may be taken later.
        case notNow
        /// It never will be: why.
        case refused(String)
    }

    /// How long to wait until the inbox is listed again.
    private static let pause = Duration.seconds(10)
    /// To how many projects runs of one name may be delivered, as for a token.
    private static let mostProjects = 1_000
    /// How many files a run may have, as a list of a delivery has.
    private static let mostFiles = 40_000

    private let objects: RunObjects
    private let intake: DeliveryIntake
    private let limits: Limits
    private let now: @Sendable () -> Date

    package init(
        _ objects: RunObjects, _ intake: DeliveryIntake, _ limits: Limits, now: @escaping @Sendable () -> Date
    ) {
        (self.objects, self.intake, self.limits, self.now) = (objects, intake, limits, now)
    }

    /// Reads until the task is cancelled.
    ///
    /// - Parameter turn: Takes a run in among those that are delivered here.
    package func run(_ turn: DeliveryIntake.Turn) async {
        var (memory, isAway) = (InboxMemory(), false)
        while !Task.isCancelled {
            do {
                try await look(&memory, turn)
                if isAway { StandardStreams.tell("kanmon: the inbox is read again") }
                isAway = false
            } catch {
                // Once, and not every few seconds.
                if !isAway, !Task.isCancelled { StandardStreams.tell("kanmon: the inbox is read later: \(error)") }
                isAway = true
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Lists the inbox once, and takes in what is there: of each name no more than its share.
    func look(_ memory: inout InboxMemory, _ turn: DeliveryIntake.Turn) async throws {
        var after: String?
        var passed: Name?
        repeat {
            let page = try await objects.store.list(
                in: RunKey.key(RunKey.inboxRuns), after: after, limit: ObjectPage.largest,
                until: ContinuousClock.now + RunObjects.patience)
            after = page.next
            for entry in page.entries {
                let name = Self.name(in: entry.key)
                if name == passed { continue }
                if try await !settle(entry.key, under: name.text, &memory, turn) { passed = name }
            }
            if let next = after, let passed, page.entries.last.map({ Self.name(in: $0.key) }) == passed {
                // Behind all that is below the name: a zero follows the slash.
                after = max(Name(next), Name("\(RunKey.inboxRuns)/\(passed.text)0")).text
            }
        } while after != nil
    }

    /// The part of a key that a name has, whatever it is.
    private static func name(in key: ObjectKey) -> Name {
        Name(key.text.split(separator: "/").dropFirst(3).first ?? "")
    }

    /// Does with an object of the inbox what has to be done; answers whether there may be more under its name now.
    private func settle(
        _ key: ObjectKey, under name: String, _ memory: inout InboxMemory, _ turn: DeliveryIntake.Turn
    ) async throws -> Bool {
        let moment = now()
        guard memory.isDue(key, at: moment) else { return true }
        guard intake.blobs.freeShare >= limits.leastFree, memory.bytes(of: name, at: moment) < limits.dailyBytes,
            memory.admit(name, at: moment)
        else { return false }
        guard let offer = InboxOffer(key) else {
            try await refuse(key, "it is the key of no run", folder: nil, &memory)
            return true
        }
        switch try await outcome(of: offer, &memory, turn) {
        case .taken: try await forget(key, folder: offer.folder, &memory)
        case .notNow: memory.wait(for: key, at: moment)
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
        try await forget(key, folder: folder, &memory)
    }

    /// Removes an object of the inbox, with the files of a run. What cannot be removed is not read again.
    private func forget(_ key: ObjectKey, folder: String?, _ memory: inout InboxMemory) async throws {
        memory.end(key)
        do {
            if let folder {
                var files = ObjectCursor(objects, in: folder)
                // What is more than a run has is left to a sweep.
                var count = 0
                while count < Self.mostFiles, let file = try await files.next() {
                    try await remove(file.key)
                    count += 1
                }
            }
            try await remove(key)
        } catch {
            memory.ignore(key)
            throw error
        }
    }

    private func remove(_ key: ObjectKey) async throws {
        try await objects.store.delete(key, until: ContinuousClock.now + RunObjects.patience)
    }

    /// Takes in an offer.
    ///
    /// - Throws: `ObjectError` of a store that does not answer.
    private func outcome(
        of offer: InboxOffer, _ memory: inout InboxMemory, _ turn: DeliveryIntake.Turn
    ) async throws -> Outcome {
        do {
            intake.checkpoint.home.prepare()
            let files = intake.blobs.sent(by: offer.token)
            guard let delivery = try await delivery(of: offer, into: files) else { return .incomplete }
            memory.count(delivery.files.reduce(0) { $0 + $1.size }, of: offer.name, at: now())
            let record = DeliveryRecord(token: offer.token, isAttested: false, receivedAt: now(), address: nil)
            let arrival = Arrival(offer.run, of: delivery.project, manifest: offer.manifest, record)
            // Another server may have been faster.
            if try await objects.has(arrival) { return .taken }
            if try hasTooManyProjects(offer, delivery.project) {
                return .refused("runs of \(Self.mostProjects) projects have come under '\(offer.name)', the limit")
            }
            let intake = intake
            let state = Mutex(DeliveryReceipt.State.incomplete)
            try await turn(offer.token, delivery.project) {
                let sender = DeliverySender(record: record, identity: offer.token)
                let receipt = try intake.take(offer.run, delivery, from: sender)
                state.withLock { $0 = receipt.state }
            }
            return state.withLock { $0 } == .incomplete ? .incomplete : .taken
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
            case .failed, .unreadable: return .notNow
            case .later, .refused, .settings, .disk: throw error
            }
        } catch {
            if !Task.isCancelled {
                StandardStreams.tell("kanmon: run \(offer.run.short) of the inbox is looked at later: \(error)")
            }
            return .notNow
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
    private func delivery(of offer: InboxOffer, into blobs: BlobStore) async throws -> Delivery? {
        let room = FetchRoom(Delivery.largestRun)
        guard try await fetch(offer.manifest, of: offer, into: blobs, room) else { return nil }
        // The manifests of shards name more files once they are here.
        for _ in 0..<3 {
            guard let run = try PartialRun(manifest: offer.manifest, in: blobs) else { return nil }
            let shards = FetchRoom(2 * RunManifest.largest)
            for shard in run.missingShards {
                guard try await fetch(shard, of: offer, into: blobs, shards) else { return nil }
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

    /// Fetches a file; answers whether it is there.
    private func fetch(
        _ sha256: String, of offer: InboxOffer, into blobs: BlobStore, _ room: FetchRoom
    ) async throws -> Bool {
        if blobs.size(of: sha256) != nil { return true }
        try room.check()
        guard try await objects.fetch(sha256, at: offer.file(sha256), into: blobs) else { return false }
        room.take(blobs.size(of: sha256) ?? 0)
        return true
    }
}

/// How many bytes may still be fetched. Files that are fetched at a time may go beyond it by their size.
private final class FetchRoom: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) { self.most = most }

    /// - Throws: `EvidenceError.tooLarge` if there is no room for another file.
    func check() throws(EvidenceError) {
        guard taken.withLock({ $0 }) <= most else {
            throw .tooLarge(file: "the run", reason: "more than \(most) bytes")
        }
    }

    func take(_ bytes: Int) { taken.withLock { $0 += bytes } }
}
