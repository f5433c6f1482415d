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
    private var judging: JudgingProcess { JudgingProcess(home: home, surroundings: checkpoint.surroundings) }

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
        let decision = try judge(kept)
        return DeliveryReceipt(stored == nil ? .stored : .known, decision: decision.rawValue)
    }

    /// Makes the run directory of the files that arrived, and stores the run.
    private func keep(
        _ id: RunID, _ delivery: Delivery, _ sender: DeliverySender, at path: String, replacing replaces: Bool
    ) throws -> DeliveryReceipt {
        guard let staged = try stage(id, delivery, sender, at: path, replacing: replaces) else {
            // A file was pruned just now.
            return DeliveryReceipt(.incomplete, missing: try blobs.missing(of: delivery))
        }
        do {
            try staged.manifest.checkTime(now: checkpoint.surroundings.now, path: RunManifest.fileName)
            // What takes the place of another must not turn out to be none that can be judged.
            if replaces { _ = try Self.decision(try judging.judge(staged.directory.path, stores: false)) }
            // From here on a killed server stores it when it starts again.
            Spool(home).add(id, at: path)
            _ = try staged.keep()
        } catch {
            staged.discard()
            Spool(home).remove(id)
            throw error
        }
        return DeliveryReceipt(.stored, decision: try judge(RunDirectory(path: path)).rawValue)
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

    /// Judges and stores a run in a process of its own. One that cannot be judged leaves no trace, unless it is stored already.
    private func judge(_ directory: RunDirectory) throws -> Decision {
        let answer = try judging.judge(directory.path, stores: true)
        switch answer {
        case .judged: break
        case .notStored: if blobs.freeShare < 0.01 { throw DeliveryRefusal.full }
        case .tooLarge, .impossible: try forget(directory)
        }
        return try Self.decision(answer)
    }

    /// What an answer says, or why the run is not taken.
    private static func decision(_ answer: JudgingAnswer) throws(DeliveryRefusal) -> Decision {
        switch answer {
        case .judged(let decision): return decision
        case .tooLarge(let reason): throw .tooLarge(reason)
        case .impossible(let reason): throw .impossible(reason)
        // The directory is kept and waits for the store; the sender asks again.
        case .notStored: throw .notNow("the run is kept, but not stored yet")
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
    func takeWaiting(
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
                    switch try judging.judge(entry.directory.path, stores: true) {
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
