public import Gate
import RunModel
import Wording

extension SheetPage {
    /// How many commits of a branch are checked.
    public static let auditedCommits = 100

    /// The commits of the default branch whose tree has not passed: bypassed hooks, other clients, missing hooks.
    ///
    /// - Parameter audit: The result; `nil` if no repository of the project is available.
    public static func unverified(
        _ audit: CommitAudit?, project: String, kept: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> SheetPage {
        let entries = audit?.listed(kept, by: order).entries ?? []
        let empty =
            if let audit {
                EmptyList(
                    "Every commit has passed.",
                    "The trees of the last \(Figures.counted(audit.looked, "commit")) of \(audit.branch) have passed.")
            } else {
                EmptyList(
                    "No repository of this project is on this machine.",
                    "Runs record the folder of their package. On the machine with its clone, run:",
                    command: "kanmon audit main~100..main")
            }
        return list(
            // Without a repository there is nothing to keep the list to.
            .unverified, project: project, kept: audit == nil ? nil : kept, order: order, count: entries.count,
            summary: audit.map {
                "Of the last \(Figures.counted($0.looked, "commit")) of \($0.branch), first parents only."
            } ?? "Commits of the default branch whose tree has not passed.",
            CellTable(
                unverifiedColumns, entries, links,
                sorting: sorting(.unverified, project, kept: kept, order, standard: .newestFirst, links)),
            links, empty: empty)
    }

    typealias UnverifiedColumn = ListColumn<CommitAudit.Entry, Links>

    /// The columns of the list of commits, which stands newest first by itself.
    static let unverifiedColumns: [UnverifiedColumn] = [
        UnverifiedColumn(
            .by(.verdict, "State"), before: { $0.decision.gravity < $1.decision.gravity }
        ) { entry, links in
            guard let route = entry.route, let decision = entry.decision else {
                return Cell(style: "state quiet", sign: "–", text: BreakableText("No verdict"))
            }
            return Cell(
                style: "state \(decision.rawValue)", sign: decision.sign,
                link: Link(decision.word, links.href(route)))
        },
        UnverifiedColumn(
            .by(.name, "Commit message"), before: { Name($0.subject) < Name($1.subject) }
        ) { entry, _ in
            Cell(style: "name", text: BreakableText(entry.subject.cut(to: 200)))
        },
        UnverifiedColumn(.by(.time, "Commit")) { entry, links in Cell.commit(entry.commit, entry.route, links) },
    ]
}

extension Cell {
    /// A commit, as a link to the page of its run where one is stored.
    static func commit(_ commit: String, _ route: Route?, _ links: Links) -> Cell {
        let short = String(commit.prefix(12))
        var cell = Cell(style: "words whole", label: "Commit")
        if let route { cell.link = Link(short, links.href(route)) } else { cell.code = short }
        return cell
    }
}
