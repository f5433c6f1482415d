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
    /// - Throws: `DeliveryRefusal` and `EvidenceError` for what cannot be taken; any other error is one of this machine.
    func take(_ id: RunID, _ delivery: Delivery, from sender: DeliverySender) throws -> DeliveryReceipt {
        home.prepare()
        let stored = try home.hasStore ? RunStore.reading(home.database).summary(of: id) : nil
        if let stored, Name(stored.project) != Name(delivery.project) {
            throw DeliveryRefusal.conflict("there is a run of this id")
        }
        let kept = RunDirectory(path: home.runDirectory(project: delivery.project, id: id))
        var replaces = false
        if kept.isThere {
            guard try kept.manifestDigest() == delivery.manifestFile?.sha256 else {
                throw DeliveryRefusal.conflict("there is a run of this id with another manifest")
            }
            let before = try kept.delivery()
            guard try stored != nil && isDamaged(id) else {
                return try know(kept, stored, before, sender)
            }
            guard sender.isAdmin || before?.token == sender.record.token else {
                throw DeliveryRefusal.conflict(
                    "only the token that delivered the damaged run, or an admin's, may replace it")
            }
            replaces = true
        } else if stored != nil {
            // Its directory was pruned: the result is final.
            throw DeliveryRefusal.conflict("the evidence of this run was removed here, its result stays")
        }
        let missing = try blobs.missing(of: delivery)
        guard missing.isEmpty else {
            let earlier = try delivery.earlier?.first { id in
                try earlierRun(id, of: delivery.project, by: sender.record.token) != nil
            }
            return DeliveryReceipt(.incomplete, missing: missing, earlier: earlier)
        }
        return try keep(id, delivery, sender, at: kept.path, replacing: replaces)
    }

    /// The directory of a run of a project that a token of a name has delivered; `nil` if there is none.
    func earlierRun(_ id: RunID, of project: String, by token: String) throws -> RunDirectory? {
        let directory = RunDirectory(path: home.runDirectory(project: project, id: id))
        return try directory.isThere && directory.delivery()?.token == token ? directory : nil
    }

    /// Whether the stored run says that its copy here is damaged.
    private func isDamaged(_ id: RunID) throws -> Bool {
        try RunStore.reading(home.database).verdict(of: id)?.gaps.contains { $0.code == .artifactDamaged } ?? false
    }

    /// Answers for a run that is here. One that waited for the store is stored, and one of a laptop is trusted from now on if a
    /// trusted token delivers the same bytes.
    private func know(
        _ kept: RunDirectory, _ stored: RunSummary?, _ before: DeliveryRecord?, _ sender: DeliverySender
    ) throws -> DeliveryReceipt {
        let isAttestation = before?.isAttested == false && sender.record.isAttested
        if let stored, !isAttestation { return DeliveryReceipt(.known, decision: stored.decision.rawValue) }
        if isAttestation { try kept.replaceDelivery(by: sender.record) }
        let judgement = try judge(kept, known: nil)
        return DeliveryReceipt(stored == nil ? .stored : .known, decision: judgement.verdict.decision.rawValue)
    }

    /// Makes the run directory of the files that arrived, and stores the run.
    private func keep(
        _ id: RunID, _ delivery: Delivery, _ sender: DeliverySender, at path: String, replacing replaces: Bool
    ) throws -> DeliveryReceipt {
        guard let staged = try stage(id, delivery, sender, at: path, replacing: replaces) else {
            // A file was pruned just now.
            return DeliveryReceipt(.incomplete, missing: try blobs.missing(of: delivery))
        }
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

    /// The run directory under a temporary name; `nil` if a file is gone.
    private func stage(
        _ id: RunID, _ delivery: Delivery, _ sender: DeliverySender, at path: String, replacing replaces: Bool
    ) throws -> StagedRun? {
        do {
            return try StagedRun(
                delivery, of: id, in: blobs, for: path, replacing: replaces, record: sender.record)
        } catch {
            if case EvidenceError.notARunDirectory = error { return nil }
            throw error
        }
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
