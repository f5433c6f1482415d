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

    /// The same for programs on this machine, which also find the evidence of each run.
    package func json() throws -> String {
        try JSONText.render(runs.map { RunForm($0, runDirectory: $0.runDirectory) })
    }

    package static func age(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<60: "now"
        case ..<3600: "\(Int(seconds) / 60) min ago"
        case ..<86_400: "\(Int(seconds) / 3600) h ago"
        default: "\(Int(seconds) / 86_400) d ago"
        }
    }
}
