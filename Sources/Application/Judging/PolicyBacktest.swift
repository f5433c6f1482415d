import Evidence
import Exports
package import Foundation
import Gate
package import RunModel
package import SettingsFile
import Storage
import Wording

/// A draft of the settings, compared with the runs of the past.
package struct PolicyBacktest: Sendable {
    /// What became of one run.
    struct Row: Sendable, Encodable {
        let run: String
        let startedAt: String
        let commit: String?
        let subject: String?
        /// What was said on its day.
        let before: String
        /// What the draft says; `unfit` when the draft does not fit the package of that day.
        let after: String
        /// Why the draft does not let it pass.
        let reasons: [String]
        /// What is not as it would have been on its day.
        let limits: [String]
    }

    /// Compares a run with its base again, where git still has the files of both; `nil` where it has not.
    package typealias Comparing = (TestRun, BaseCommit) async throws -> ChangeComparison?

    /// Every run of the time, the newest first.
    let rows: [Row]

    /// Judges the runs of a project that began since a moment; of all projects without one.
    package init(
        _ draft: Settings, file: String, of project: String?, since beginning: Date, in stored: StoredRuns,
        comparing: Comparing
    ) async throws {
        let store = try stored.open()
        var rows: [Row] = []
        var last: RunID?
        pages: while true {
            let page = try store.runs(project: project, before: last, limit: 100)
            for summary in page {
                guard summary.startedAt >= beginning else { break pages }
                guard let found = try store.run(summary.id) else { continue }
                rows.append(try await Self.row(found, draft, file: file, in: store, comparing))
            }
            guard let end = page.last else { break }
            last = end.id
        }
        self.rows = rows
    }

    private static func row(
        _ found: JudgedRun, _ draft: Settings, file: String, in store: RunStore, _ comparing: Comparing
    ) async throws -> Row {
        let run = found.run
        // Files that are only among the objects are not fetched for so many runs.
        let directory = found.directory.flatMap { $0.hasOnlyManifest ? nil : $0 }
        let kept = try directory.flatMap { try KeptJSON.baseline.read(from: $0) }
        var comparison = try directory.flatMap { try KeptJSON.comparison.read(from: $0) }
        var limits =
            directory != nil ? [] : ["its run directory is gone: judged only by the draft, not compared with its base"]
        var policy = draft.policy
        // Nobody knows the base any more, which says nothing against the run.
        if directory == nil { (policy.ratchet, policy.probation) = (nil, nil) }
        if comparison == nil, policy.asksForComparison {
            // On its day no rule asked for it.
            let base = found.verdict.base?.commit ?? kept?.commit
            if let base, found.verdict.change == nil { comparison = try await comparing(run, base) }
            if comparison == nil, found.verdict.change != nil {
                limits.append("its stored comparison is used")
            }
        }
        var after = "unfit"
        var reasons: [String] = []
        do {
            let past = try policy.past(of: run) { store }
            let verdict = try Verdict(
                judging: run, by: policy, past: past, history: found.verdict.lineHistory,
                against: kept?.adopting(draft.gateSettings(file: file)), changed: comparison,
                probation: found.verdict.probation, causes: found.verdict.causes, before: found.verdict.change)
            after = verdict.decision.rawValue
            reasons = verdict.violations.map(\.sentence) + verdict.gaps.map { $0.words.sentence }
        } catch let error as PolicyError {
            reasons = ["\(error)"]
        }
        return Row(
            run: run.id.description, startedAt: Timestamp.utc(run.startedAt), commit: run.revision?.commit,
            subject: run.revision?.subject, before: found.verdict.decision.rawValue, after: after, reasons: reasons,
            limits: limits)
    }

    /// The runs that the draft does not let pass.
    var blocked: [Row] { rows.filter { $0.after != Decision.passed.rawValue } }
    /// Those of them that passed on their day.
    var newlyBlocked: [Row] { blocked.filter { $0.before == Decision.passed.rawValue } }

    /// For a program.
    package func json() throws -> String {
        struct Report: Encodable {
            let runs: Int
            let blocked: Int
            let newlyBlocked: Int
            let rows: [Row]
        }
        return try JSONText.render(
            Report(runs: rows.count, blocked: blocked.count, newlyBlocked: newlyBlocked.count, rows: rows))
    }

    /// For a person: how many, then which and why.
    package func text() -> String {
        var lines = [
            "The draft would have blocked \(blocked.count) of \(Figures.counted(rows.count, "run")), "
                + "\(newlyBlocked.count) of these passed before."
        ]
        for row in blocked {
            let commit = row.commit.map { " \($0.prefix(12))" } ?? ""
            lines += [
                "",
                "✕ \(row.startedAt) \(row.run)\(commit) \(TerminalText.safe(row.subject ?? "")), then \(row.before):",
            ]
            lines += row.reasons.prefix(5).map { "    \(TerminalText.safe($0))" }
            lines += row.limits.map { "    (\($0))" }
            if row.reasons.count > 5 { lines.append("    … \(Figures.counted(row.reasons.count - 5, "more reason"))") }
        }
        return lines.joined(separator: "\n")
    }

    /// The seconds of `30d` or `12h`; `nil` for anything else.
    package static func seconds(_ text: String) -> Int? {
        guard let unit = ["d": 86_400, "h": 3600][text.suffix(1)], (2...6).contains(text.utf8.count),
            let count = Int(text.dropLast()), count > 0
        else { return nil }
        return count * unit
    }
}
