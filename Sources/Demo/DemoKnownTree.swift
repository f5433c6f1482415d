public import Foundation
public import Gate
public import RunModel

/// A commit that no run tested, because an earlier run of the same tree answers for it, and what the gate says of it.
public struct DemoKnownTree: Sendable {
    /// The commit, and where it belongs.
    public let revision: Revision
    /// What the gate says of it.
    public let verdict: Verdict
    /// When it was judged.
    public let judgedAt: Date

    /// The commit that was amended with a waiver after its run was blocked for want of one; `nil` for any other run.
    public init?(amending judged: JudgedRun) {
        guard let change = judged.verdict.base?.blocking.first, var revision = judged.run.revision,
            let commit = revision.commit, let day = CalendarDay("2026-04-30")
        else { return nil }
        let amended = Noise.hash("amended \(commit)")
        let waiver = Waiver(
            subject: change.code.rawValue, until: day, reason: "long videos are decoded twice until the cache is back",
            commit: amended, line: 3)
        var waived = change
        waived.waiver = waiver
        var verdict = judged.verdict
        verdict.violations.removeAll { $0.change != nil }
        verdict.decision = verdict.violations.isEmpty ? .passed : .failed
        verdict.base?.changes = [waived]
        verdict.base?.waivers.append(WaiverStatus(waiver, .used))
        revision.commit = amended
        self.revision = revision
        self.verdict = verdict
        judgedAt = judged.run.startedAt.addingTimeInterval(1_200)
    }
}
