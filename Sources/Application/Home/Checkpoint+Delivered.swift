package import Evidence
import Foundation
import Gate
import RunModel
import Storage
import TestResults

/// What a delivered run has at most. Whoever may deliver could else let pages of the run take what others need; what runs here has no
/// such limit.
package struct DeliveredRunLimits: Sendable {
    /// Tests.
    package var tests = 100_000
    /// Tests that failed, each of which the verdict tells of.
    package var failures = 20_000
    /// Files with coverage.
    package var files = 20_000
    /// Executable lines of all files.
    package var lines = 1_000_000
    /// Bytes of its verdict, as JSON: a page may read all of it.
    package var verdict = 16 << 20

    package init() {}

    /// - Throws: `EvidenceError.tooLarge` for a verdict that says too much.
    func check(_ verdict: Verdict) throws {
        let bytes = try RunStore.storedBytes(of: verdict)
        guard bytes > self.verdict else { return }
        throw EvidenceError.tooLarge(
            file: "the verdict",
            reason: "\(Figures.grouped(bytes)) bytes, the limit of a delivered run is \(Figures.grouped(self.verdict))")
    }

    /// What a run has more of than it may; `nil` for nothing.
    func fault(of run: TestRun) -> String? {
        let files = run.coverage?.files ?? []
        let counts = [
            (run.tests.count, tests, "test"), (run.tests.count { $0.outcome.isFailure }, failures, "failed test"),
            (files.count, self.files, "measured file"),
            (files.reduce(0) { $0 + $1.lines.count }, lines, "executable line"),
        ]
        return counts.first { $0.0 > $0.1 }.map { count, most, word in
            "the run has \(Figures.counted(count, word)), the limit of one that is delivered is \(Figures.grouped(most))"
        }
    }
}

extension Checkpoint {
    /// Judges the run directory of somebody else and stores the result. Everything in it is read once.
    ///
    /// - Parameters:
    ///   - place: Where the directory belongs, if it does not lie there yet; see `store`.
    ///   - limits: What it may have at most if a machine has delivered it.
    ///   - whenJudged: Is done when the verdict is known, and before anything is stored or moved; what it throws ends all of it.
    /// - Returns: What came of it, in words without the folders of this machine.
    /// - Throws: What keeps this machine from judging it.
    package func judgeDelivered(
        _ given: RunDirectory, movingTo place: RunDirectory? = nil, limits: DeliveredRunLimits = DeliveredRunLimits(),
        whenJudged: () throws -> Void = {}
    ) throws -> JudgingAnswer {
        do {
            let directory = try given.remembered()
            try directory.manifest().checkTime(now: process.now, path: RunManifest.fileName)
            let run = try TestRun.read(from: directory)
            if run.delivery != nil, let fault = limits.fault(of: run) { return .impossible(fault) }
            let judgement = try store(directory, known: run, movingTo: place) { verdict in
                if run.delivery != nil { try limits.check(verdict) }
                try whenJudged()
            }
            guard let failure = judgement.storeFailure else { return .judged(judgement.verdict.decision) }
            guard failure.status == .badInput else { return .notStored }
            // What it was to replace may wait there; and whoever asked for the move has to undo it.
            if place == nil { Spool(home).remove(judgement.run.id) }
            return .impossible(words(failure))
        } catch is PlaceLock.Changed {
            // Who sends it again is told by what lies there now.
            return .notStored
        } catch let error as EvidenceError where error.isBadInput {
            if case .tooLarge(let file, let reason) = error { return .tooLarge("\(file): \(reason)") }
            return .impossible("\(error)".replacing(home.path, with: "…"))
        } catch {
            guard let problem = Problem(explaining: error), [.badInput, .badConfiguration].contains(problem.status)
            else { throw error }
            return .impossible(words(problem))
        }
    }

    /// A reason without the folders of this machine.
    private func words(_ problem: Problem) -> String { problem.reason.replacing(home.path, with: "…") }
}
