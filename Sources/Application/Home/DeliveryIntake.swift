package import Dashboard
package import Evidence
import Foundation
import Gate
package import RunModel
import Storage

/// Takes in the runs that machines deliver: checks, judges and stores them as `Intake` does those of a folder.
package struct DeliveryIntake: Sendable {
    package let checkpoint: Checkpoint
    package let blobs: BlobStore
    /// Judges a run directory and stores the result.
    private let judging: Judging

    /// Judges the run directory with a path and stores the result. With a second path the directory is moved there once that is stored,
    /// instead of what is there.
    typealias Judging = @Sendable (_ path: String, _ place: String?) throws -> JudgingAnswer

    /// Takes runs in, and has each judged in a process of its own.
    package init(checkpoint: Checkpoint, blobs: BlobStore) {
        let process = JudgingProcess(home: checkpoint.home, surroundings: checkpoint.surroundings)
        self.init(checkpoint: checkpoint, blobs: blobs) { try process.judge($0, replacing: $1) }
    }

    init(checkpoint: Checkpoint, blobs: BlobStore, judging: @escaping Judging) {
        self.checkpoint = checkpoint
        self.blobs = blobs
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
            guard try isSame(kept, delivery) else {
                try checkPlace(of: id, kept, before, sender)
                return try keep(id, whole, sender.record, at: kept.path, replacing: kept.isThere)
            }
            guard try isDamaged(id) else { return try know(id, kept, before, sender) }
            return try keep(id, whole, united(before, sender), at: kept.path, replacing: true)
        } catch EvidenceError.notARunDirectory(let path) {
            let missing = try files.missing(of: delivery)
            guard !missing.isEmpty else { throw EvidenceError.notARunDirectory(path: path) }
            // A file was pruned just now.
            return DeliveryReceipt(.incomplete, missing: missing)
        }
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
            // Its directory was pruned.
            guard isTrustedMore(sender, than: stored.delivery) else {
                throw DeliveryRefusal.conflict("the evidence of this run was removed here, its result stays")
            }
        }
    }

    /// Whether a run of this sender gets the place of another: what CI says is not kept out by a person's machine.
    private func isTrustedMore(_ sender: DeliverySender, than record: DeliveryRecord?) -> Bool {
        guard let record else { return false }
        return sender.record.isAttested && !record.isAttested
    }

    /// The record of a run that one more token has delivered, the trusted one first; `nil` for a run of this machine.
    private func united(_ before: DeliveryRecord?, _ sender: DeliverySender) -> DeliveryRecord? {
        guard let before else { return nil }
        let isFirst = isTrustedMore(sender, than: before)
        var record = isFirst ? sender.record : before
        record.add(isFirst ? before : sender.record)
        return record
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
        _ id: RunID, _ kept: RunDirectory, _ before: DeliveryRecord?, _ sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let record = united(before, sender)
        if let record, record != before { try kept.replaceDelivery(by: record) }
        if !isTrustedMore(sender, than: before), home.hasStore,
            let stored = try RunStore.reading(home.database).summary(of: id)
        {
            return DeliveryReceipt(.stored, decision: stored.decision.rawValue)
        }
        return DeliveryReceipt(.stored, decision: try judge(kept).rawValue)
    }

    /// Makes the run directory of the files that arrived, and stores the run: it is judged once.
    private func keep(
        _ id: RunID, _ delivery: WholeDelivery, _ record: DeliveryRecord?, at path: String, replacing replaces: Bool
    ) throws -> DeliveryReceipt {
        let staged = try StagedRun(delivery, for: path, replacing: replaces, record: record)
        do {
            try staged.manifest.checkTime(now: checkpoint.surroundings.now, path: RunManifest.fileName)
            if replaces {
                // It gets its place when it is stored: it must not turn out to be none that can be judged.
                try staged.settle()
                let decision = try decision(try judging(staged.directory.path, path))
                return DeliveryReceipt(.stored, decision: decision.rawValue)
            }
            // From here on a killed server stores it when it starts again.
            Spool(home).add(id, at: path)
            _ = try staged.keep()
        } catch {
            staged.discard()
            // What it was to replace may wait there.
            if !replaces { Spool(home).remove(id) }
            throw error
        }
        return DeliveryReceipt(.stored, decision: try judge(RunDirectory(path: path)).rawValue)
    }

    /// Judges and stores a run in a process of its own. One that cannot be judged leaves no trace, unless it is stored already.
    private func judge(_ directory: RunDirectory) throws -> Decision {
        let answer = try judging(directory.path, nil)
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

    /// Judges the runs that wait since the server was ended, or the store refused them, one after the other: each when it is its
    /// turn among what is delivered. What cannot be judged goes if it was delivered, as its sender has it, and waits if it was not.
    ///
    /// - Parameter turn: Does work for the sender of a run, which is empty for a run of this machine, in a project.
    package func takeWaiting(
        _ turn: (_ sender: String, _ project: String, _ work: @escaping @Sendable () throws -> Void) async throws ->
            Void
    ) async {
        let spool = Spool(home)
        for entry in spool.waiting() {
            guard FileManager.default.fileExists(atPath: entry.directory.path) else {
                spool.remove(entry.id)
                continue
            }
            do {
                let sender = try entry.directory.delivery()?.token
                let project = (try? entry.directory.manifest().project) ?? ""
                try await turn(sender ?? "", project) { [self] in
                    switch try judging(entry.directory.path, nil) {
                    case .judged: StandardStreams.tell("kanmon: the waiting run \(entry.id.short) is stored now")
                    case .notStored: break
                    case .impossible(let reason), .tooLarge(let reason):
                        StandardStreams.tell("kanmon: the waiting run \(entry.id.short) is not stored: \(reason)")
                        if sender != nil { try forget(entry.directory) }
                    }
                }
            } catch {
                StandardStreams.tell("kanmon: the waiting run \(entry.id.short) goes on waiting: \(error)")
            }
        }
    }
}
