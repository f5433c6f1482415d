import Application
import ArgumentParser
import Evidence
import Exports
import Foundation
import Gate
import RunModel
import TestResults

/// `kanmon judge-directory`: what a server starts for each run that it takes in.
struct JudgeDirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: JudgingProcess.command,
        abstract: "Judge a run directory within the budget of a delivery, and print what came of it as JSON.",
        shouldDisplay: false
    )

    @Argument(help: "The run directory.") var path: String
    @Flag(help: "Store the result.") var store = false
    @OptionGroup var place: StoreOptions

    func run() async throws {
        JudgingProcess.limitThisProcess()
        let surroundings = Surroundings.current
        let checkpoint = Checkpoint(surroundings: surroundings, home: place.home(surroundings))
        let answer = try answer(checkpoint, RunDirectory(path: path))
        StandardStreams.print(try JSONText.render(answer.short))
    }

    private func answer(_ checkpoint: Checkpoint, _ directory: RunDirectory) throws -> JudgingAnswer {
        do {
            try directory.manifest().checkTime(now: checkpoint.surroundings.now, path: RunManifest.fileName)
            guard store else {
                let verdict = try Verdict(judging: TestRun.read(from: directory), in: directory) { _ in PastResults() }
                return .judged(verdict.decision)
            }
            let judgement = try checkpoint.store(directory)
            guard let failure = judgement.storeFailure else { return .judged(judgement.verdict.decision) }
            guard failure.status == .badInput else { return .notStored }
            Spool(checkpoint.home).remove(judgement.run.id)
            return .impossible(words(failure, checkpoint.home))
        } catch let error as EvidenceError where error.isBadInput {
            if case .tooLarge(let file, let reason) = error { return .tooLarge("\(file): \(reason)") }
            return .impossible("\(error)".replacing(checkpoint.home.path, with: "…"))
        } catch {
            guard let problem = Problem(explaining: error), [.badInput, .badConfiguration].contains(problem.status)
            else {
                throw error
            }
            return .impossible(words(problem, checkpoint.home))
        }
    }

    /// A reason without the folders of this machine.
    private func words(_ problem: Problem, _ home: Home) -> String { problem.reason.replacing(home.path, with: "…") }
}
