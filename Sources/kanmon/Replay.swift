import Evidence
import Exports
import Foundation
import Gate
import RunModel
import SettingsFile
import Storage
import Wording

/// A draft of the settings, held against the runs of the past.
struct Replay: Sendable {
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
    }

    /// Every run of the time, the newest first.
    let rows: [Row]

    /// Judges the runs of a project that began since a moment; of all projects without one.
    init(_ draft: Settings, file: String, of project: String?, since beginning: Date, in stored: StoredRuns) throws {
        let store = try stored.open()
        var rows: [Row] = []
        var last: RunID?
        pages: while true {
            let page = try store.runs(project: project, before: last, limit: 100)
            for summary in page {
                guard summary.startedAt >= beginning else { break pages }
                guard let found = try store.run(summary.id) else { continue }
                rows.append(try Self.row(found, draft, file: file, in: store))
            }
            guard let end = page.last else { break }
            last = end.id
        }
        self.rows = rows
    }

    private static func row(_ found: StoredRun, _ draft: Settings, file: String, in store: RunStore) throws -> Row {
        let run = found.run
        let directory = found.runDirectory.map { RunDirectory(path: $0) }
        let isThere = directory.map { FileManager.default.fileExists(atPath: $0.path + "/manifest.json") } ?? false
        let kept = isThere ? try directory.flatMap { try BaselineFile.read(from: $0) } : nil
        var after = "unfit"
        var reasons: [String] = []
        do {
            let policy = draft.policy
            let past = try policy.past(of: run) { store }
            let verdict = try Verdict(
                judging: run, by: policy, past: past, against: kept?.adopting(draft.bar(file: file)))
            after = verdict.decision.rawValue
            reasons = verdict.violations.map { $0.words.sentence } + verdict.gaps.map { $0.words.sentence }
        } catch let error as PolicyError {
            reasons = ["\(error)"]
        }
        return Row(
            run: run.id.description, startedAt: run.startedAt.ISO8601Format(), commit: run.revision?.commit,
            subject: run.revision?.subject, before: found.verdict.decision.rawValue, after: after, reasons: reasons)
    }

    /// The runs that the draft does not let pass.
    var blocked: [Row] { rows.filter { $0.after != Decision.passed.rawValue } }
    /// Those of them that passed on their day.
    var newlyBlocked: [Row] { blocked.filter { $0.before == Decision.passed.rawValue } }

    /// For a program.
    func json() throws -> String {
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
    func text() -> String {
        var lines = [
            "The draft would have blocked \(blocked.count) of \(Figures.counted(rows.count, "run")), "
                + "\(newlyBlocked.count) of which passed on their day."
        ]
        for row in blocked {
            let commit = row.commit.map { " \($0.prefix(12))" } ?? ""
            lines += [
                "",
                "✕ \(row.startedAt) \(row.run)\(commit) \(TerminalText.safe(row.subject ?? "")), then \(row.before):",
            ]
            lines += row.reasons.prefix(5).map { "    \(TerminalText.safe($0))" }
            if row.reasons.count > 5 { lines.append("    … \(Figures.counted(row.reasons.count - 5, "more reason"))") }
        }
        return lines.joined(separator: "\n")
    }

    /// The seconds of `30d` or `12h`; `nil` for anything else.
    static func seconds(_ text: String) -> Int? {
        guard let unit = ["d": 86_400, "h": 3600][text.suffix(1)], (2...6).contains(text.utf8.count),
            let count = Int(text.dropLast()), count > 0
        else { return nil }
        return count * unit
    }
}
