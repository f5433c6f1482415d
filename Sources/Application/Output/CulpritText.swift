import Exports
package import Foundation
package import Gate
import RunModel
import Wording

/// What a search for the commit that broke a test has found: in words and for programs.
package struct CulpritText: Encodable, Sendable {
    let culprit: Culprit
    let project: String
    /// More about why no commit can be named, or no more than a merge; may hold untrusted text.
    var detail: String?

    package init(culprit: Culprit, project: String, detail: String? = nil) {
        (self.culprit, self.project, self.detail) = (culprit, project, detail)
    }

    /// Whether a commit is named, or the few that it may be.
    package var isNamed: Bool { culprit.reason == nil }

    /// For a terminal.
    package var text: String { lines.map { TerminalText.safe($0) }.joined(separator: "\n") }

    private var lines: [String] {
        var lines: [String] = []
        if let reason = culprit.reason {
            lines.append("No commit can be named for \(culprit.test). \(reason.sentence)")
            if let detail { lines.append("  \(detail)") }
            if !culprit.suspects.isEmpty {
                lines.append("Most probable so far (\(culprit.percentage)):")
                lines += culprit.suspects.map { "  \($0.words)" }
            }
        } else if let commit = culprit.commit {
            lines.append("\(commit.commit.prefix(12)) broke \(culprit.test) (\(culprit.percentage)).")
            lines.append("  \(commit.subject)")
            lines.append("  \(commit.author), \(CalendarDay(commit.committedAt))")
            if let merge = culprit.merge { lines.append("  merged by \(merge.prefix(12))") }
            if let detail { lines.append("  \(detail)") }
        } else {
            lines.append(
                "One of \(culprit.suspects.count) commits broke \(culprit.test) (\(culprit.percentage)); "
                    + "only the last of them can be tested:")
            lines += culprit.suspects.map { "  \($0.words)" }
        }
        lines.append(
            "\(Figures.counted(culprit.runs, "run")) of \(Figures.counted(culprit.builds, "commit")) in "
                + "\(Figures.duration(culprit.duration)), between \(culprit.good.prefix(12)) and "
                + "\(culprit.bad.prefix(12)).")
        return lines
    }

    /// The answers as a table, the newest first.
    package static func list(_ culprits: [Culprit], now: Date) -> String {
        let rows = culprits.map { culprit -> [String] in
            let last = culprit.suspects.last.map { String($0.commit.prefix(12)) } ?? "–"
            return [
                culprit.reason == nil ? culprit.percentage : "–", culprit.reason?.rawValue ?? last,
                culprit.commit?.author ?? "–", RunList.age(now.timeIntervalSince(culprit.foundAt)),
                culprit.test.description,
            ]
        }
        return TextTable.render(rows, header: ["", "broken by", "author", "found", "test"])
    }

    package func encode(to encoder: any Encoder) throws {
        try CulpritSearchForm(culprit, project: project, detail: detail).encode(to: encoder)
    }
}

extension Culprit.Suspect {
    /// `1a2b3c4d5e6f Parse signs (Ana, 2026-11-02)`; untrusted text.
    fileprivate var words: String {
        "\(commit.prefix(12)) \(subject) (\(author), \(CalendarDay(committedAt)))"
    }
}
