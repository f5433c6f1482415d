import Dashboard
import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// Takes in the runs that machines deliver: checks, judges and stores them as `Intake` does those of a folder.
struct DeliveryIntake: Sendable {
    let checkpoint: Checkpoint
    let blobs: BlobStore

    private var home: Home { checkpoint.home }

    /// Takes in a run, or says what is missing of it.
    ///
    /// Nothing is looked for before the sender has sent every byte, and shown that the id is its own: until then it learns nothing
    /// of what is here.
    ///
    /// - Throws: `DeliveryRefusal` and `EvidenceError` for what cannot be taken; any other error is one of this machine.
    func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) throws -> DeliveryReceipt {
        home.prepare()
        let kept = RunDirectory(path: home.runDirectory(project: delivery.project, id: id))
        let before = kept.isThere ? try kept.delivery() : nil
        let isOwn = before?.isDelivered(by: sender.record.token) == true
        if isOwn, try isSame(kept, delivery), try !isDamaged(id) { return try know(id, kept, before, sender) }
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

    /// Whether the stored run says that its copy here is damaged.
    private func isDamaged(_ id: RunID) throws -> Bool {
        guard home.hasStore else { return false }
        return try RunStore.reading(home.database).verdict(of: id)?.gaps.contains { $0.code == .artifactDamaged }
            ?? false
    }

    /// Answers for a run that is here, as if it were not, unless the sender has delivered it before. One that waited for the store
    /// is stored, and one of a laptop is trusted from now on if a trusted token delivers the same bytes.
    private func know(
        _ id: RunID, _ kept: RunDirectory, _ before: DeliveryRecord?, _ sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let record = united(before, sender)
        if let record, record != before { try kept.replaceDelivery(by: record) }
        let isOwn = before?.isDelivered(by: sender.record.token) == true
        if !isTrustedMore(sender, than: before), home.hasStore,
            let stored = try RunStore.reading(home.database).summary(of: id)
        {
            return DeliveryReceipt(isOwn ? .known : .stored, decision: stored.decision.rawValue)
        }
        let judgement = try judge(kept, known: nil)
        return DeliveryReceipt(.stored, decision: judgement.verdict.decision.rawValue)
    }

    /// Makes the run directory of the files that arrived, and stores the run.
    private func keep(
        _ id: RunID, _ delivery: WholeDelivery, _ record: DeliveryRecord?, at path: String, replacing replaces: Bool
    ) throws -> DeliveryReceipt {
        let staged = try StagedRun(delivery, for: path, replacing: replaces, record: record)
        let run: TestRun
        do {
            run = try check(staged)
            // From here on a killed server stores it when it starts again.
            Spool(home).add(id, at: path)
            _ = try staged.keep()
        } catch {
            staged.discard()
            Spool(home).remove(id)
            throw error
        }
        // Gaps and notes may name the folder, which had another name.
        let judgement = try judge(RunDirectory(path: path), known: run.gaps.isEmpty && run.notes.isEmpty ? run : nil)
        return DeliveryReceipt(.stored, decision: judgement.verdict.decision.rawValue)
    }

    /// Reads and judges a run before it is kept: what cannot be read, or cannot be true, must leave no trace.
    private func check(_ staged: StagedRun) throws -> TestRun {
        try staged.manifest.checkTime(now: checkpoint.surroundings.now, path: RunManifest.fileName)
        let run = try TestRun.read(from: staged.directory)
        do {
            _ = try Verdict(judging: run, in: staged.directory) { _ in PastResults() }
        } catch let error as EvidenceError {
            throw error
        } catch {
            guard let problem = Problem(explaining: error) else { throw error }
            throw DeliveryRefusal.impossible(words(problem))
        }
        return run
    }

    private func judge(_ directory: RunDirectory, known: TestRun?) throws -> Judgement {
        let judgement = try checkpoint.judge(directory, known: known)
        guard let failure = judgement.storeFailure else { return judgement }
        guard failure.status == .badInput else {
            // The directory is kept and waits for the store; the sender asks again.
            throw blobs.freeShare < 0.01 ? DeliveryRefusal.full : .notNow("the run is kept, but not stored yet")
        }
        // No store will ever take it.
        Spool(home).remove(judgement.run.id)
        try RunArchive(home: home).remove(directory)
        throw DeliveryRefusal.impossible(words(failure))
    }

    /// A reason without the folders of this machine.
    private func words(_ problem: Problem) -> String { problem.reason.replacing(home.path, with: "…") }
}
