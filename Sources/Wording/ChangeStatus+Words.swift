public import Gate
public import RunModel

/// How a run stands against its base, in words.
public struct ChangeWords: Sendable, Hashable {
    /// A statement about some lines of a file.
    public struct Part: Sendable, Hashable {
        /// `3 of 5, missed`; empty where the title of the group says all.
        public let words: String
        /// Those lines.
        public let lines: [ClosedRange<Int>]

        init(_ words: String, _ lines: [ClosedRange<Int>]) { (self.words, self.lines) = (words, lines) }
    }

    /// A file and the statements about its lines.
    public struct Entry: Sendable, Hashable {
        /// Relative to the package; untrusted text.
        public let path: String
        /// The statements.
        public let parts: [Part]

        /// `3 of 5, missed 10–12`.
        public var words: String {
            parts.map { part in
                [part.words, MissedLines(part.lines, atMost: ChangeWords.ranges).words].filter { !$0.isEmpty }
                    .joined(separator: " ")
            }.joined(separator: "; ")
        }
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
    /// A sentence that says that the base's coverage is unknown, and what follows; `nil` if it is known, or if a note says so already.
    public let limit: String?
    /// What changed, what moved, and what changed without being touched.
    public let groups: [Group]

    /// How many ranges of lines of a file are listed.
    public static let ranges = 20

    /// Puts a status into words.
    public init(_ change: ChangeStatus) {
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
        limit =
            change.baseRun == nil && change.notes.isEmpty
            ? "No base run is stored, so lines that only moved count as new" : nil
        groups = [
            Group(
                title: "Changed files",
                entries: change.files.filter { $0.tally.total > 0 }.map { file in
                    let tally = Figures.tally(file.tally)
                    return Entry(
                        path: file.path,
                        parts: [Part(file.missed.isEmpty ? tally : "\(tally), missed", file.missed)])
                }),
            Group(
                title: "Not counted: moved, and not covered before either",
                entries: change.files.filter { !$0.debt.isEmpty }
                    .map { Entry(path: $0.path, parts: [Part("", $0.debt)]) }),
            Group(
                title: "Unchanged lines whose coverage changed",
                entries: change.indirect.compactMap { file in
                    let parts = [Part("lost", file.lost), Part("gained", file.gained)].filter { !$0.lines.isEmpty }
                    return parts.isEmpty ? nil : Entry(path: file.path, parts: parts)
                }),
            Group(
                title: "Unstable: runs of the same tree disagree, so these are not compared",
                entries: change.indirect.filter { !$0.unstable.isEmpty }
                    .map { Entry(path: $0.path, parts: [Part("", $0.unstable)]) }),
        ].filter { !$0.entries.isEmpty }
    }

    /// `8 of 12 changed lines are covered (66.6 %) against origin/main at 0123456789ab, floor 90 %`; untrusted text.
    public var sentence: String { "\(summary) \(base)" + (rule.map { ", \($0)" } ?? "") }

    /// The sentence, then every group with at most `files` files, for those who read lines; untrusted text.
    public func lines(files: Int) -> [String] {
        let listed = groups.flatMap { group in
            let more = group.entries.count - files
            return ["  \(group.title):"] + group.entries.prefix(files).map { "    \($0.path): \($0.words)" }
                + (more > 0 ? ["    … \(Figures.counted(more, "more file"))"] : [])
        }
        return [sentence] + listed + [project, limit].compactMap { $0.map { "  \($0)" } }
    }
}

extension Verdict {
    /// Why the changed lines are unknown; `nil` if they are known, or if such a run could not show them for any base.
    public func absenceOfChange(in run: TestRun) -> String? {
        guard change == nil, base == nil, run.coverage != nil, !run.isPartial else { return nil }
        return "No base is known, so changed lines cannot be shown"
    }
}

extension ChangeStatus {
    /// The status in words.
    public var words: ChangeWords { ChangeWords(self) }
}
