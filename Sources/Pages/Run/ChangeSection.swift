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
        let words: String
    }

    /// So many files of a group are listed.
    static let most = 100

    let summary: String
    let base: String
    let rule: String?
    let project: String?
    let groups: [Group]

    /// `nil` for a run that was not compared.
    init?(_ change: ChangeStanding?, links: RunLinks) {
        guard let words = change?.words else { return nil }
        summary = words.summary
        base = words.base
        rule = words.rule
        project = words.project
        groups = words.groups.map { group in
            let more = group.entries.count - Self.most
            return Group(
                title: group.title,
                rows: group.entries.prefix(Self.most).map { entry in
                    Row(
                        href: links.source(entry.path), path: BreakableText(entry.path),
                        words: entry.words)
                },
                more: more > 0 ? Figures.counted(more, "more file") : nil
            )
        }
    }
}
