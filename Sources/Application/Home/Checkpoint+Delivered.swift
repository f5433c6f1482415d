package import Evidence
import Foundation
import Gate
import RunModel

extension Checkpoint {
    /// Judges the run directory of somebody else and stores the result. Everything in it is read once.
    ///
    /// - Parameter place: Where the directory is moved once the run is stored, instead of what is there; `nil` if it lies in its place.
    /// - Returns: What came of it, in words without the folders of this machine.
    /// - Throws: What keeps this machine from judging it.
    package func judgeDelivered(
        _ given: RunDirectory, replacing place: RunDirectory? = nil
    ) throws -> JudgingAnswer {
        do {
            let directory = try given.remembered()
            try directory.manifest().checkTime(now: surroundings.now, path: RunManifest.fileName)
            let judgement = try store(directory, replacing: place)
            guard let failure = judgement.storeFailure else { return .judged(judgement.verdict.decision) }
            guard failure.status == .badInput else { return .notStored }
            // What it was to replace may wait there.
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
