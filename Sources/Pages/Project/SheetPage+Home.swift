public import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// The first page: how every project stands on its default branch, and what fails there. All green, it is short.
    ///
    /// - Parameters:
    ///   - projects: All projects.
    ///   - kept: The verdict of those that are listed, as an address has it.
    ///   - order: The order that was requested.
    ///   - changes: The latest full runs of other branches, the newest first.
    public static func home(
        _ projects: [ProjectState], kept: String? = nil, order: ListOrder? = nil, changes: [RunSummary] = [],
        running: [LiveEntry] = [], now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        let shown = projects.listed(kept, by: order)
        let listed = projects.filter { ListFilter.allows($0.latest?.decision, kept) }
        // Some of them never passed: those did not regress.
        let failing = listed.flatMap { project in project.regressions.map { (project, $0) } }
        let sorting = Sorting(order, standard: .worstFirst) { links.find(.home(kept: kept, order: $0)) }
        var sections = [
            SheetSection(
                nil, CellTable(projectColumns, shown, ProjectCells(now: now, links: links), sorting: sorting),
                empty: projects.isEmpty
                    ? EmptyList(
                        "No run is stored yet.",
                        "Run the gate in the folder of a Swift package, then reload this page:", command: "kanmon run")
                    : .nothingMatches)
        ]
        if let now, let section = SheetSection(running: running, showsProject: true, now: now, links: links) {
            sections.append(section)
        }
        if let section = SheetSection(expiring: listed, showsProject: true, now: now, links: links) {
            sections.append(section)
        }
        if !failing.isEmpty {
            sections.append(
                SheetSection(
                    "Failing on default branches",
                    CellTable(
                        ["Test", "Failing since", "Last passed"],
                        failing.map {
                            [.test($1.test, title: $1.title, $0.name, links, detail: $0.name)]
                                + $1.cells(now, links)
                        }),
                    more: listed.map { project in
                        project.latest?.allFailures(of: project.name, behind: project.regressions, links)
                    }))
        }
        if !changes.isEmpty {
            sections.append(
                SheetSection(
                    "Latest changes",
                    CellTable(
                        ["State", "Branch", "Author", "#Lines covered", "#Latest run"],
                        changes.map { change($0, now, links) })))
        }
        let summary =
            projects.isEmpty ? "The history of runs, from a commit to the line that blocks it." : summary(of: projects)
        return SheetPage(
            frame: PageFrame(title: "Projects", links: links), heading: "Projects", summary: summary,
            tabs: projects.isEmpty ? nil : Tabs(links: links),
            // Of one project there is nothing to choose.
            filter: ListForm(
                kept: kept, by: projects.count > 1 || kept != nil ? .projects : nil, order, links: links
            ) { _, kept in
                .home(kept: kept, order: order)
            },
            sections: sections)
    }

    /// How many projects are not well; where none is, of how many nobody knows.
    private static func summary(of projects: [ProjectState]) -> String {
        let all = Figures.counted(projects.count, "project")
        func count(_ decision: Decision?) -> Int { projects.count { $0.latest?.decision == decision } }
        let (failing, undecided, unknown) = (count(.failed), count(.undecided), count(nil))
        if failing > 0 {
            let rest =
                undecided == 0 ? "" : "; \(Figures.grouped(undecided)) \(undecided == 1 ? "is" : "are") undecided"
            return "\(Figures.grouped(failing)) of \(all) \(failing == 1 ? "is" : "are") failing on "
                + "\(failing == 1 ? "its" : "their") default branch\(rest)."
        }
        if undecided > 0 {
            return "\(Figures.grouped(undecided)) of \(all) \(undecided == 1 ? "is" : "are") undecided on "
                + "\(undecided == 1 ? "its" : "their") default branch, and none is failing."
        }
        let lenient = projects.count { project in
            project.latest.map { $0.decision == .passed && !$0.hasPassed } ?? false
        }
        if lenient > 0 {
            return "\(Figures.grouped(lenient)) of \(all) \(lenient == 1 ? "passes" : "pass") "
                + "only because failures of the base were let through."
        }
        return unknown == 0
            ? "The default branch of every project passes."
            : "No run says how \(Figures.grouped(unknown)) of \(all) \(unknown == 1 ? "stands" : "stand")."
    }

    private static func change(_ run: RunSummary, _ now: Date?, _ links: Links) -> [Cell] {
        [
            .verdict(run, links),
            .name(
                run.revision?.branch ?? "–",
                run.revision?.branch.flatMap { links.find(.branch($0, project: run.project)) }, detail: run.project),
            .words(run.revision?.author ?? "–", "Author"), .tally(run.lines, "Lines"),
            .moment(run.startedAt, now: now),
        ]
    }

    typealias ProjectColumn = ListColumn<ProjectState, ProjectCells>

    /// The columns of the list of projects: of each its state, else the newest run that is none.
    static let projectColumns: [ProjectColumn] = [
        ProjectColumn(.by(.verdict, "State"), before: { $0.gravity < $1.gravity }) { project, cells in
            if let latest = project.latest { return Cell.verdict(latest, cells.links) }
            return project.attempt.map { Cell.attempt($0, cells.links) }
                ?? Cell(style: "state quiet", sign: "–", text: BreakableText("No run"))
        },
        ProjectColumn(.by(.name, "Project"), before: { Name($0.name) < Name($1.name) }) { project, cells in
            Cell.name(project.name, cells.links.project(project.name), detail: project.latest?.revision?.subject)
        },
        ProjectColumn("Branch") { project, cells in
            guard project.latest != nil else { return Cell.words(project.attempt?.revision?.branch ?? "–", "Branch") }
            return project.branch.map { Cell.branch($0, of: project.name, cells.links) } ?? Cell.words("any", "Branch")
        },
        ProjectColumn(.by(.coverage, "#Lines covered"), before: { $0.coverage < $1.coverage }) { project, _ in
            Cell.tally(project.shown?.lines, "Lines")
        },
        ProjectColumn(.by(.runs, "#Runs"), before: { $0.runs < $1.runs }) { project, _ in
            let hidden = project.latest == nil ? 0 : project.hiddenFlakes
            return Cell.figure(
                Figures.grouped(project.runs), "Runs",
                detail: hidden == 0 ? nil : "\(Figures.grouped(hidden)) green by a retry")
        },
        ProjectColumn(.by(.time, "#Latest run"), before: { $0.moment < $1.moment }) { project, cells in
            project.shown.map { Cell.moment($0.startedAt, now: cells.now) } ?? Cell.figure("–", "Latest run")
        },
    ]
}

/// What the cells of projects are made with, besides the project.
struct ProjectCells: Sendable {
    let now: Date?
    let links: Links
}

extension ProjectState {
    /// The run that a list shows of it.
    fileprivate var shown: RunSummary? { latest ?? attempt }
    /// The graver, the more it needs a look.
    fileprivate var gravity: Int { (latest?.decision).gravity }
    fileprivate var coverage: Double { shown?.lines?.rank ?? 1 }
    fileprivate var moment: Date { shown?.startedAt ?? .distantPast }
}

extension [ProjectState] {
    /// The projects with one state, or all, in the given order: without one, what fails comes first.
    public func listed(_ verdict: String?, by order: ListOrder?) -> [ProjectState] {
        filter { ListFilter.allows($0.latest?.decision, verdict) }.sorted(by: order ?? .worstFirst)
    }
}

extension ListOrder {
    /// What fails before what is undecided, before what nobody knows, before what passes.
    static let worstFirst = ListOrder(.verdict)
}

extension Cell {
    /// How a run ended that says nothing of its branch, as a link to it, and why it does not.
    static func attempt(_ entry: RunSummary, _ links: Links) -> Cell {
        Cell(
            style: "state quiet", sign: entry.decision.sign,
            link: Link(entry.verdictWords, links.href(entry.route)), detail: entry.doubt)
    }

    /// How a run ended, as a link to it.
    static func verdict(_ entry: RunSummary, _ links: Links) -> Cell {
        Cell(
            style: "state \(entry.decision.rawValue)", sign: entry.decision.sign,
            link: Link(entry.verdictWords, links.href(entry.route)))
    }
}

extension Regression {
    /// Since which commit, and where it still passed.
    func cells(_ now: Date?, _ links: Links) -> [Cell] {
        [
            Self.cell(since, "Failing since", now, links, broken: culprit?.words),
            lastPassed.map { Self.cell($0, "Last passed", now, links) } ?? .words("–", "Last passed"),
        ]
    }

    private static func cell(
        _ entry: RunSummary, _ label: String, _ now: Date?, _ links: Links, broken: String? = nil
    ) -> Cell {
        let commit = entry.revision?.commit.map { String($0.prefix(8)) } ?? "run \(entry.id.short)"
        let moment = Moment(entry.startedAt, now: now)
        return Cell(
            label: label, link: Link(commit, links.href(entry.route), hint: moment.exact),
            detail: [broken, entry.revision?.author, moment.words, entry.revision?.subject].compactMap { $0 }.joined(
                separator: " · "
            ).cut(to: 200))
    }
}
