public import Gate
import RunModel

/// How a run stands against its base, in words.
public struct ChangeWords: Sendable, Hashable {
    /// A file and what is to be said of it.
    public struct Entry: Sendable, Hashable {
        /// Relative to the package; untrusted text.
        public let path: String
        /// `3 of 5 lines, missed 10–12`.
        public let words: String
    }

    /// A heading and files under it.
    public struct Group: Sendable, Hashable {
        /// What the files have in common.
        public let title: String
        /// The files.
        public let entries: [Entry]
    }

    /// `8 of 12 changed lines are covered (66.6 %)`.
    public let summary: String
    /// `against origin/main at 0123456789ab`; may be untrusted text.
    public let base: String
    /// What the rule says of it: `floor 90 %`, `not judged: fewer than 5 lines`; `nil` without a rule.
    public let rule: String?
    /// `lines still there: 81.2 % at the base, project now 79.9 %`; `nil` without the base's coverage.
    public let project: String?
    /// What changed, what moved, and what changed without being touched.
    public let groups: [Group]

    /// How many ranges of lines of a file are listed.
    static let ranges = 20

    /// Words a standing.
    public init(_ change: ChangeStanding) {
        let lines = change.lines
        summary =
            lines.total == 0
            ? "No executable line was changed"
            : "\(Figures.tally(lines)) changed lines \(lines.total == 1 ? "is" : "are") covered "
                + "(\(Figures.percent(lines)))"
        base = "against \(change.base.name) at \(change.base.commit.prefix(12))"
        rule = change.rule.map { rule in
            if change.isJudged { return "floor \(Figures.percent(rule.line))" }
            return lines.total == 0
                ? "nothing to judge" : "not judged: fewer than \(Figures.counted(rule.minimumLines, "line"))"
        }
        project = change.project.flatMap { now in
            change.before.map { before in
                "Lines still there were \(Figures.percent(before)) covered at the base "
                    + "(\(Figures.tally(before))); the project is now \(Figures.percent(now)) (\(Figures.tally(now)))"
                    + (change.indirect.contains { !$0.unstable.isEmpty } ? " without unstable lines" : "")
            }
        }
        groups = [
            Group(
                title: "Changed files",
                entries: change.files.filter { $0.tally.total > 0 }.map { file in
                    let missed = file.missed.isEmpty ? "" : ", missed \(Self.listed(file.missed))"
                    return Entry(path: file.path, words: Figures.tally(file.tally) + missed)
                }),
            Group(
                title: "Not charged: moved, and not covered before either",
                entries: change.files.filter { !$0.debt.isEmpty }
                    .map { Entry(path: $0.path, words: Self.listed($0.debt)) }),
            Group(
                title: "Covered otherwise without being touched",
                entries: change.indirect.compactMap { file in
                    let parts =
                        (file.lost.isEmpty ? [] : ["lost \(Self.listed(file.lost))"])
                        + (file.gained.isEmpty ? [] : ["gained \(Self.listed(file.gained))"])
                    return parts.isEmpty ? nil : Entry(path: file.path, words: parts.joined(separator: "; "))
                }),
            Group(
                title: "Unstable: runs of one tree disagree, so nothing is read from these",
                entries: change.indirect.filter { !$0.unstable.isEmpty }
                    .map { Entry(path: $0.path, words: Self.listed($0.unstable)) }),
        ].filter { !$0.entries.isEmpty }
    }

    /// `8 of 12 changed lines are covered (66.6 %) against origin/main at 0123456789ab, floor 90 %`; untrusted text.
    public var sentence: String { "\(summary) \(base)" + (rule.map { ", \($0)" } ?? "") }

    private static func listed(_ all: [ClosedRange<Int>]) -> String { MissedLines(all, atMost: ranges).words }
}

extension ChangeStanding {
    /// The standing in words.
    public var words: ChangeWords { ChangeWords(self) }
}
