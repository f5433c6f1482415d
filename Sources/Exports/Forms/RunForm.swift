import Foundation
public import Gate
import RunModel

/// A run as lists have it, for programs.
public struct RunForm: Sendable, Hashable, Codable {
    let id: String
    let project: String
    let package: String
    let commit: String?
    let tree: String?
    let branch: String?
    let subject: String?
    let author: String?
    /// Whether files were not those of the commit; left out outside of git.
    let isDirty: Bool?
    let startedAt: Date
    let durationNanoseconds: Int64
    let decision: String
    let exitStatus: Int32
    let isPartial: Bool
    /// Whether it speaks for its commit and branch; otherwise it is of a working copy or from a person's machine.
    let isExact: Bool
    /// How far it is to be trusted: `working-copy`, `distrusted`, `laptop`, `other-version`, `ci` or `local`.
    let trust: String
    /// The name of the token that it was delivered with.
    let deliveredBy: String?
    /// How many tests ended in which way; each way is there, also one in which none did.
    let outcomes: [String: Int]
    let lines: CoverageTally?
    /// Where all tests passed and the gate blocked: how often which rule is violated, by its code.
    let broken: [String: Int]
    /// How many failures do not block, because the base's stored run has them, too; left out where there is none.
    let allowedFailures: Int?
    /// Where its evidence is on this machine; a server tells nobody its paths.
    let runDirectory: String?

    /// Makes the form of a run.
    ///
    /// - Parameter runDirectory: Where its evidence is, for whoever is on the same machine.
    public init(_ run: RunSummary, runDirectory: String? = nil) {
        id = run.id.description
        project = run.project
        package = run.package
        commit = run.revision?.shownCommit
        tree = run.revision?.tree
        branch = run.revision?.branch
        subject = run.revision?.subject
        author = run.revision?.author
        isDirty = run.revision?.isDirty
        startedAt = run.startedAt
        durationNanoseconds = run.duration.nanosecondCount
        decision = run.decision.rawValue
        exitStatus = run.exitStatus.rawValue
        isPartial = run.isPartial
        isExact = run.isOfBranch
        trust = run.trust.rawValue
        deliveredBy = run.delivery?.token
        outcomes = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.rawValue, run.outcomes[$0]) })
        lines = run.lines
        broken = run.broken
        allowedFailures = run.allowedFailures > 0 ? run.allowedFailures : nil
        self.runDirectory = runDirectory
    }
}
