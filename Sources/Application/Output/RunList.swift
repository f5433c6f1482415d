import Exports
package import Foundation
package import Gate
import RunModel
import Storage
import Wording

/// A list of runs, as `kanmon history` prints it.
package struct RunList: Sendable {
    let runs: [RunSummary]

    package init(runs: [RunSummary]) { self.runs = runs }

    /// A header, and one line for each run: sign, id, time, project, commit, tests with a mark for partial runs,
    /// coverage.
    package func text(now: Date) -> String {
        guard !runs.isEmpty else { return "no stored run" }
        let rows = runs.map { run in
            let failures = run.outcomes.failures
            let allowed = run.allowanceWords.map { ", \($0)" } ?? ""
            let tests =
                Figures.counted(run.outcomes.total, "test") + (failures > 0 ? ", \(failures) failed" : "")
                + allowed + (run.isPartial ? ", partial" : "")
            let revision = run.revision
            let commit = (revision?.shownCommit?.prefix(9)).map(String.init) ?? "–"
            return [
                run.decision.sign, run.id.short, Self.age(now.timeIntervalSince(run.startedAt)), run.project,
                commit + (revision?.branch.map { " \($0)" } ?? "") + (run.doubt.map { ", \($0)" } ?? ""),
                tests, run.lines.map { Figures.percent($0) } ?? "–", Figures.duration(run.duration),
            ]
        }
        return TextTable.render(
            rows, header: ["", "run", "began", "project", "commit", "tests", "lines", "took"])
    }

    /// The same for programs.
    package func json() throws -> String { try JSONText.render(runs.map(Row.init)) }

    package static func age(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<60: "now"
        case ..<3600: "\(Int(seconds) / 60) min ago"
        case ..<86_400: "\(Int(seconds) / 3600) h ago"
        default: "\(Int(seconds) / 86_400) d ago"
        }
    }

    private struct Row: Encodable {
        let id: RunID
        let project: String
        let package: String
        let commit: String?
        let branch: String?
        let subject: String?
        let author: String?
        let isDirty: Bool?
        let isExact: Bool
        let trust: Trust
        let deliveredBy: String?
        let startedAt: Date
        let durationNanoseconds: Int64
        let decision: Decision
        let exitStatus: Int32
        let isPartial: Bool
        let tests: Int
        let failures: Int
        let allowedFailures: Int?
        let lines: CoverageTally?
        let runDirectory: String?

        init(_ run: RunSummary) {
            id = run.id
            project = run.project
            package = run.package
            commit = run.revision?.shownCommit
            branch = run.revision?.branch
            subject = run.revision?.subject
            author = run.revision?.author
            isDirty = run.revision?.isDirty
            isExact = run.isOfBranch
            trust = run.trust
            deliveredBy = run.delivery?.token
            startedAt = run.startedAt
            durationNanoseconds = run.duration.nanosecondCount
            decision = run.decision
            exitStatus = run.exitStatus.rawValue
            isPartial = run.isPartial
            tests = run.outcomes.total
            failures = run.outcomes.failures
            allowedFailures = run.allowedFailures > 0 ? run.allowedFailures : nil
            lines = run.lines
            runDirectory = run.runDirectory
        }
    }
}
