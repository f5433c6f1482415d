import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// Runs a test with what commits build, in a folder of its own.
struct CulpritTrial: Sendable {
    /// Why a commit cannot be tested, which is nobody's fault but its own; may hold untrusted text.
    struct Unusable: Error {
        let why: String
    }

    let judge: TreeJudge
    let project: String
    let test: TestID
    let deadline: SuspendingClock.Instant
    let progress: @Sendable (RunProgress) -> Void
    let tell: @Sendable (String) -> Void

    private var timeLeft: Duration { max(.zero, deadline - SuspendingClock.now) }

    /// Checks a commit out, builds what is out of date, and runs the test a given number of times.
    ///
    /// - Throws: `Unusable` for a tree that cannot be checked out exactly: a result there says nothing about the
    ///   commit.
    func report(of commit: LineCommit, _ way: TrialRequest.Way, times: Int) async throws -> TrialReport {
        let (process, repository) = (judge.process, judge.repository)
        let (settings, _) = try await judge.context(of: commit.tree)
        let shadow = try await ShadowTree.open(
            in: repository, for: .culprits, owner: judge.lockOwner, timeout: timeLeft
        ) { holder in
            tell("waiting for \(holder?.description ?? "another search")")
        }
        let laidOut = try await shadow.materialize(commit.tree)
        repository.rest()
        let doubts = laidOut.differences.map(\.description) + laidOut.gaps.map { "\($0.subject): \($0.detail)" }
        if let doubt = doubts.first { throw Unusable(why: "it is not laid out exactly: \(doubt)") }
        let package = TestedPackage(
            root: process.real(judge.subpath.folder(in: laidOut.path)), project: project,
            revision: Revision(
                commit: commit.commit.hexadecimal, tree: commit.tree.hexadecimal, folder: judge.subpath.folder,
                branch: nil, subject: commit.subject, author: commit.author, isDirty: false),
            repositoryTop: process.real(laidOut.path), repositoryCeiling: process.real(shadow.home))
        var request = TrialRequest(rounds: [TrialRequest.Round([test], way, repetitions: times)], budget: timeLeft)
        request.deadline = deadline
        let report = try await judge.checkpoint.trial(
            Checkpoint.Subject(package: package, settings: settings), request, limit: timeLeft, progress: progress)
        shadow.close()
        return report
    }

    /// Why a commit cannot be tested, if that is its own fault; a search goes on without it. May hold untrusted text.
    static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as Unusable: return error.why
        case let error as SettingsError: return "its settings cannot be used: \(error)"
        case let problem as Problem where problem.status == .badConfiguration:
            return "its settings cannot be used: \(problem.reason)"
        case let error as RunnerError:
            switch error {
            case .packageNotFound: return "it has no such package"
            case .manifestInvalid: return "its manifest is not valid"
            case .manifestOverdue, .descriptionUnreadable, .refused, .testBinaryNotFound, .invalidFilter,
                .productsUnusable:
                return "\(error)"
            case .swiftNotFound, .swiftGone, .toolNotFound, .toolchainUnreadable, .scratchBusy, .notStarted,
                .isolationRefused, .notMutable, .interrupted, .runDirectory, .fileSystem:
                return nil
            }
        default: return nil
        }
    }
}
