import Gate
import RunModel
import Wording

/// How the run stands against its base: what changed, what only moved, what changed without being touched.
struct ChangeSection: Sendable {
    /// Files that have something in common.
    struct Group: Sendable {
        let title: String
        let rows: [Row]
        let more: String?
    }

    /// One file.
    struct Row: Sendable {
        let href: String
        let path: BreakableText
        let parts: [Part]
    }

    /// What is said of a file, and the lines of which it is said.
    struct Part: Sendable {
        let words: String
        let ranges: [LineRange]
    }

    /// How many files of a group are listed.
    static let most = 100

    let summary: String
    let base: String?
    let rule: String?
    let project: String?
    let limit: String?
    let groups: [Group]

    /// `nil` for a run of which there is nothing to say.
    init?(_ run: TestRun, _ verdict: Verdict, links: RunLinks) {
        if let words = verdict.change?.words {
            self.init(words, links: links)
        } else {
            guard let absence = verdict.absenceOfChange(in: run) else { return nil }
            self.init(absence: absence)
        }
    }

    /// Why nothing is known of a change, in a sentence.
    init(absence: String) {
        summary = absence
        (base, rule, project, limit, groups) = (nil, nil, nil, nil, [])
    }

    /// A change in words, with links to the lines of the run that it leads to.
    init(_ words: ChangeWords, links: RunLinks) {
        summary = words.summary
        base = words.base
        rule = words.rule
        project = words.project
        limit = words.limit
        groups = words.groups.map { group in
            let more = group.entries.count - Self.most
            return Group(
                title: group.title,
                rows: group.entries.prefix(Self.most).map { entry in
                    let page = links.source(entry.path)
                    return Row(
                        href: page, path: BreakableText(entry.path),
                        parts: entry.parts.map {
                            Part(words: $0.words, ranges: Self.ranges($0.lines, entry.path, links))
                        })
                },
                more: more > 0 ? Figures.counted(more, "more file") : nil
            )
        }
    }

    private static func ranges(_ lines: [ClosedRange<Int>], _ path: String, _ links: RunLinks) -> [LineRange] {
        let listed = MissedLines(lines, atMost: ChangeWords.ranges)
        return listed.ranges.map { LineRange($0, of: path, links: links) }
            + (listed.more.map { [LineRange(href: links.source(path), words: $0)] } ?? [])
    }
}
