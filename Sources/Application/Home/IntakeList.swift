import Evidence
import Exports
import Foundation
package import Gate
import RunModel
import Wording

/// The results of ingesting several runs: one line for each.
package struct IntakeList: Sendable {
    /// One run, or a folder without a run.
    package struct Row: Sendable, Encodable {
        let path: String
        let run: RunID?
        let project: String?
        let decision: Decision?
        /// Whether it was stored before.
        let isKnown: Bool?
        /// Why it was refused; `nil` if it was stored.
        let refusal: String?
        fileprivate let status: ExitStatus
        fileprivate let headline: String

        private enum CodingKeys: String, CodingKey { case path, run, project, decision, isKnown, refusal }

        package init(_ path: String, _ judgement: Judgement) {
            self.path = path
            run = judgement.run.id
            project = judgement.run.project
            decision = judgement.verdict.decision
            isKnown = judgement.isKnown
            refusal = nil
            status = .passed
            headline = Headline(judgement.run, judgement.verdict).text
        }

        package init(_ path: String, _ problem: Problem) {
            self.path = path
            (run, project, decision, isKnown) = (nil, nil, nil, nil)
            refusal = problem.reason
            status = problem.status
            headline = ""
        }
    }

    package var rows: [Row] = []

    package init() {}

    /// `passed` if all were stored, else the most severe status.
    package var status: ExitStatus { ExitStatus.gravest(of: rows.map(\.status).filter { $0 != .passed }) }

    /// For a terminal: each run, then their number.
    package var text: String {
        let lines = rows.map { row in
            if let refusal = row.refusal {
                return "not taken: \(TerminalText.safe(row.path)): \(TerminalText.safe(refusal))"
            }
            let known = row.isKnown == true ? " (already known)" : ""
            return
                "\(row.run?.short ?? "") \(TerminalText.safe(row.project ?? "")) \(TerminalText.safe(row.headline))\(known)"
        }
        let known = rows.count { $0.isKnown == true }
        let refused = rows.count { $0.refusal != nil }
        let count = [
            "\(Figures.grouped(rows.count - known - refused)) stored", "\(Figures.grouped(known)) already known",
            refused > 0 ? "\(Figures.grouped(refused)) not taken" : nil,
        ]
        return (lines + ["\(Figures.counted(rows.count, "run")): " + count.compactMap { $0 }.joined(separator: ", ")])
            .joined(separator: "\n")
    }
}

extension Intake {
    /// The run directories in a folder, at most three levels below it, ordered by path; the folder itself if it is
    /// one or contains none.
    package func runDirectories(in path: String) -> [String] {
        let found = runDirectories(below: path, depth: 3)
        return found.isEmpty ? [path] : found
    }

    private func runDirectories(below path: String, depth: Int) -> [String] {
        if RunDirectory(path: path).isThere { return [path] }
        guard depth > 0, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        // Partial directories and links are skipped.
        return names.sorted().filter { !$0.hasPrefix(".") && !$0.contains(RunDirectory.Writer.partialMark) }
            .map { "\(path)/\($0)" }
            .filter {
                (try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType) == .typeDirectory
            }
            .flatMap { runDirectories(below: $0, depth: depth - 1) }
    }
}
