package import Dashboard
package import Evidence
import Foundation
import Gate
import Objects
package import RunModel
import Storage
import Synchronization

/// Takes in the runs that machines deliver: checks, judges and stores them as `Intake` does those of a folder.
package struct DeliveryIntake: Sendable {
    package let checkpoint: Checkpoint
    package let blobs: BlobStore
    /// Where each run is kept before it is stored here; `nil` for here only.
    private let objects: RunObjects?
    /// Judges a run directory and stores the result.
    private let judging: Judging
    private let inHand = RunsInHand()

    /// Judges the run directory with a path and stores the result. With a second path the directory belongs there and is moved there; what
    /// is there gives way to what is stored. When the verdict is known, and before anything is stored or moved, `whenJudged` is done.
    typealias Judging =
        @Sendable (_ path: String, _ place: String?, _ whenJudged: JudgingProcess.Work?) throws -> JudgingAnswer

    /// Takes runs in, and has each judged in a process of its own.
    package init(checkpoint: Checkpoint, blobs: BlobStore, objects: RunObjects? = nil) {
        let process = JudgingProcess(home: checkpoint.home, process: checkpoint.process)
        self.init(checkpoint: checkpoint, blobs: blobs, objects: objects) { path, place, whenJudged in
            try process.judge(path, movingTo: place, whenJudged: whenJudged)
        }
    }

    init(checkpoint: Checkpoint, blobs: BlobStore, objects: RunObjects?, judging: @escaping Judging) {
        self.checkpoint = checkpoint
        self.blobs = blobs
        self.objects = objects
        self.judging = judging
    }

    private var home: Home { checkpoint.home }

    /// Takes in a run, or says what is missing of it.
    ///
    /// Nothing is looked for before the sender has sent every byte, and shown that the id is its own: until then it learns nothing
    /// of what is here.
    ///
    /// - Throws: `DeliveryRefusal` and `EvidenceError` for what cannot be taken; any other error is one of this machine.
    package func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) throws -> DeliveryReceipt {
        home.prepare()
        let kept = RunDirectory(path: home.runDirectory(project: delivery.project, id: id))
        let before = kept.isThere ? try kept.delivery() : nil
        let isOwn = before?.isDelivered(by: sender.record.token) == true
        if isOwn, !isTrustedMore(sender, than: before), try isSame(kept, delivery), let decision = try decision(of: id)
        {
            return DeliveryReceipt(.known, decision: decision.rawValue)
        }
        let files = blobs.sent(by: sender.identity)
        let missing = try files.missing(of: delivery)
        guard missing.isEmpty else { return DeliveryReceipt(.incomplete, missing: missing) }
        do {
            let whole = try WholeDelivery(delivery, of: id, in: files)
            return try inHand.hold(id) { try take(whole, at: kept, delivery, from: sender) }
        } catch EvidenceError.notARunDirectory(let path) {
            let missing = try files.missing(of: delivery)
            guard !missing.isEmpty else { throw EvidenceError.notARunDirectory(path: path) }
            // A file was pruned just now.
            return DeliveryReceipt(.incomplete, missing: missing)
        }
    }

    /// Takes in a run whose files are all here. Of one id there is one at a time: who comes second is answered by what the first has made.
    private func take(
        _ whole: WholeDelivery, at kept: RunDirectory, _ delivery: Delivery, from sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let id = whole.manifest.id
        let before = kept.isThere ? try kept.delivery() : nil
        guard try isSame(kept, delivery) else {
            try checkPlace(of: id, kept, before, sender)
            return try keep(whole, as: sender.record, at: kept, delivery, from: sender)
        }
        // The sender has sent the files again that are not here any more.
        guard try isDamaged(id) || DroppedRuns(home).isDropped(id) else {
            return try know(id, kept, before, delivery, sender)
        }
        let receipt = try keep(whole, as: before?.united(with: sender.record), at: kept, delivery, from: sender)
        DroppedRuns(home).forget(id)
        return receipt
    }

    /// Whether a run that is here has the same manifest, with that the same files.
    private func isSame(_ kept: RunDirectory, _ delivery: Delivery) throws -> Bool {
        try kept.isThere && kept.manifestDigest() == delivery.manifestFile?.sha256
    }

    /// Refuses a run whose id another one has, unless that one is trusted less.
    private func checkPlace(
        of id: RunID, _ kept: RunDirectory, _ before: DeliveryRecord?, _ sender: DeliverySender
    ) throws {
        if kept.isThere {
            guard isTrustedMore(sender, than: before) else {
                throw DeliveryRefusal.conflict("there is a run of this id with another manifest")
            }
        } else if home.hasStore, let stored = try RunStore.reading(home.database).summary(of: id) {
            // Its directory was pruned, or is still to come after the index was lost.
            guard isTrustedMore(sender, than: stored.delivery) else {
                if FileManager.default.fileExists(atPath: home.restoring) {
                    throw DeliveryRefusal.notNow("what was lost here is being brought back")
                }
                throw DeliveryRefusal.conflict("the evidence of this run was removed here, its result stays")
            }
        }
    }

    /// Whether a run of this sender gets the place of another: what CI says is not kept out by a person's machine.
    private func isTrustedMore(_ sender: DeliverySender, than record: DeliveryRecord?) -> Bool {
        record.map { sender.record.isTrustedMore(than: $0) } ?? false
    }

    /// What the stored run came to; `nil` if it is not stored, or its copy here is damaged.
    private func decision(of id: RunID) throws -> Decision? {
        guard home.hasStore, try !isDamaged(id) else { return nil }
        return try RunStore.reading(home.database).summary(of: id)?.decision
    }

    /// Whether the stored run says that its copy here is damaged.
    private func isDamaged(_ id: RunID) throws -> Bool {
        guard home.hasStore else { return false }
        return try RunStore.reading(home.database).has(.artifactDamaged, in: id)
    }

    /// Answers for a run that is here as if it were not: the sender is not told that others have delivered it. One that waited for the
    /// store is stored, and one of a laptop is trusted from now on if a trusted token delivers the same bytes.
    private func know(
        _ id: RunID, _ kept: RunDirectory, _ before: DeliveryRecord?, _ delivery: Delivery, _ sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let record = before?.united(with: sender.record)
        // It may be one of this machine, or have come before there were objects; or it was not stored when it was sent last.
        if let keeping = objectWork(id, delivery, in: kept, from: sender, unlessArrived: true) {
            try ThreadWait.value { try await keeping() }
        }
        if let record, record != before { try kept.replaceDelivery(by: record) }
        if !isTrustedMore(sender, than: before), home.hasStore,
            let stored = try RunStore.reading(home.database).summary(of: id)
        {
            return DeliveryReceipt(.stored, decision: stored.decision.rawValue)
        }
        return DeliveryReceipt(.stored, decision: try judge(kept).rawValue)
    }

    /// Makes the run directory of the files that arrived, and stores the run: it is judged once.
    ///
    /// What cannot be judged leaves no trace. Else it is kept as objects, then it gets its place and waits there for the store, then it is
    /// stored. A killed server goes on with what has its place when it starts again; before, its sender has been told nothing.
    ///
    /// - Parameters:
    ///   - record: `nil` for a run of this machine.
    ///   - kept: Its place. What is there gives way when the run is stored.
    private func keep(
        _ whole: WholeDelivery, as record: DeliveryRecord?, at kept: RunDirectory, _ delivery: Delivery,
        from sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let staged = try IncomingRun(whole, for: kept.path, replacing: kept.isThere, record: record)
        do {
            try staged.manifest.checkTime(now: checkpoint.process.now, path: RunManifest.fileName)
            try staged.settle()
            let keeping = objectWork(whole.manifest.id, delivery, in: staged.directory, from: sender)
            let answer = try judging(staged.directory.path, kept.path, keeping)
            switch answer {
            case .judged, .notStored: break
            // It had its place when the store refused it.
            case .tooLarge, .impossible: if !staged.directory.isThere { try forget(kept) }
            }
            return DeliveryReceipt(.stored, decision: try decision(answer).rawValue)
        } catch {
            staged.discard()
            throw error
        }
    }

    /// What keeps a delivery where it outlives this machine, before anything here says that it has come; `nil` for here only.
    ///
    /// - Parameter unlessArrived: Whether the same of the same sender may be there already, and is enough.
    private func objectWork(
        _ id: RunID, _ delivery: Delivery, in directory: RunDirectory, from sender: DeliverySender,
        unlessArrived: Bool = false
    ) -> JudgingProcess.Work? {
        guard let objects, let manifest = delivery.manifestFile?.sha256 else { return nil }
        let arrival = Arrival(id, of: delivery.project, manifest: manifest, sender.record)
        return {
            do {
                if unlessArrived, try await objects.has(arrival) { return }
                try await objects.keep(arrival, of: directory, delivery.files, sentBy: sender.identity)
            } catch {
                guard let failure = error as? ObjectError else { throw error }
                // Whatever it is, it may have passed when the sender asks again; who runs the server is told what it is.
                StandardStreams.tell("kanmon: run \(id.short) is not taken now, its objects cannot be kept: \(failure)")
                if let hint = failure.hint { StandardStreams.tell("Try: \(hint)") }
                throw DeliveryRefusal.notNow("the store of objects does not take the run now")
            }
        }
    }

    /// Judges and stores a run in a process of its own. One that cannot be judged leaves no trace, unless it is stored already.
    private func judge(_ directory: RunDirectory) throws -> Decision {
        let answer = try judging(directory.path, nil, nil)
        switch answer {
        case .judged, .notStored: break
        case .tooLarge, .impossible: try forget(directory)
        }
        return try decision(answer)
    }

    /// What an answer says, or why the run is not taken.
    private func decision(_ answer: JudgingAnswer) throws(DeliveryRefusal) -> Decision {
        switch answer {
        case .judged(let decision): return decision
        case .tooLarge(let reason): throw .tooLarge(reason)
        case .impossible(let reason): throw .impossible(reason)
        // The sender asks again.
        case .notStored:
            if blobs.freeShare < 0.01 { throw .full }
            throw .notNow("the run is not stored yet")
        }
    }

    /// Removes a run that no store will ever take.
    private func forget(_ directory: RunDirectory) throws {
        guard let id = RunID((directory.path as NSString).lastPathComponent) else { return }
        Spool(home).remove(id)
        if home.hasStore, try RunStore.reading(home.database).summary(of: id) != nil { return }
        try RunArchive(home: home).remove(directory)
    }

    /// Does work for the sender of a run, which is empty for a run of this machine, in a project, when it is its turn.
    package typealias Turn = (
        _ sender: String, _ project: String, _ work: @escaping @Sendable () throws -> Void
    ) async throws -> Void

    /// Judges the runs that wait since the server was ended, or the store refused them, one after the other: each when it is its
    /// turn among what is delivered. What cannot be judged goes if it was delivered, as its sender has it, and waits if it was not.
    package func takeWaiting(_ turn: Turn) async {
        let spool = Spool(home)
        for entry in spool.waiting() {
            guard FileManager.default.fileExists(atPath: entry.directory.path) else {
                spool.remove(entry.id)
                continue
            }
            do {
                switch try await judge(entry.directory, in: turn) {
                case .judged: StandardStreams.tell("kanmon: the waiting run \(entry.id.short) is stored now")
                case .notStored: break
                case .impossible(let reason), .tooLarge(let reason):
                    StandardStreams.tell("kanmon: the waiting run \(entry.id.short) is not stored: \(reason)")
                }
            } catch {
                StandardStreams.tell("kanmon: the waiting run \(entry.id.short) goes on waiting: \(error)")
            }
        }
    }

    /// Judges and stores a run that is here, when it is its turn. One that was delivered and cannot be judged goes.
    func judge(_ directory: RunDirectory, in turn: Turn) async throws -> JudgingAnswer {
        let sender = try directory.delivery()?.token
        let project = (try? directory.manifest().project) ?? ""
        let result = Mutex(JudgingAnswer.notStored)
        try await turn(sender ?? "", project) { [self] in
            let answer = try judging(directory.path, nil, nil)
            switch answer {
            case .judged, .notStored: break
            case .impossible, .tooLarge: if sender != nil { try forget(directory) }
            }
            result.withLock { $0 = answer }
        }
        return result.withLock { $0 }
    }
}

/// The runs that are being taken in.
private final class RunsInHand: Sendable {
    private let runs = Mutex<Set<RunID>>([])

    /// Does work for a run when no other is done for it; called on a thread that may wait.
    func hold<Result>(_ id: RunID, _ work: () throws -> Result) rethrows -> Result {
        while !runs.withLock({ $0.insert(id).inserted }) { usleep(5_000) }
        defer { runs.withLock { _ = $0.remove(id) } }
        return try work()
    }
}
