package import Evidence
import Foundation
import Gate
import RunModel
import TestResults

extension Checkpoint {
    /// How many tests a delivered run has at most. Whoever may deliver could else let pages of the run take what others need; what runs
    /// here has no such limit.
    package static let mostDeliveredTests = 100_000

    /// Judges the run directory of somebody else and stores the result. Everything in it is read once.
    ///
    /// - Parameters:
    ///   - place: Where the directory belongs, if it does not lie there yet; see `store`.
    ///   - mostTests: How many tests it may have if a machine has delivered it.
    ///   - whenJudged: Is done when the verdict is known, and before anything is stored or moved; what it throws ends all of it.
    /// - Returns: What came of it, in words without the folders of this machine.
    /// - Throws: What keeps this machine from judging it.
    package func judgeDelivered(
        _ given: RunDirectory, movingTo place: RunDirectory? = nil, mostTests: Int = Self.mostDeliveredTests,
        whenJudged: () throws -> Void = {}
    ) throws -> JudgingAnswer {
        do {
            let directory = try given.remembered()
            try directory.manifest().checkTime(now: process.now, path: RunManifest.fileName)
            let run = try TestRun.read(from: directory)
            guard run.delivery == nil || run.tests.count <= mostTests else {
                return .impossible(
                    "the run has \(Figures.counted(run.tests.count, "test")), the limit of one that is delivered is "
                        + Figures.grouped(mostTests))
            }
            let judgement = try store(directory, known: run, movingTo: place, whenJudged: whenJudged)
            guard let failure = judgement.storeFailure else { return .judged(judgement.verdict.decision) }
            guard failure.status == .badInput else { return .notStored }
            // What it was to replace may wait there; and whoever asked for the move has to undo it.
            if place == nil { Spool(home).remove(judgement.run.id) }
            return .impossible(words(failure))
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
