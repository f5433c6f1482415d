public import Foundation
public import Gate
public import RunModel
public import Web
import Wording

/// The list of runs, newest first: of all projects, or of one.
public struct RunsPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.runsPage
    /// Title and way back.
    public let frame: PageFrame

    let heading: BreakableText
    let summary: String
    let tabs: Tabs?
    let filters: ProjectFilters?
    let form: FilterForm?
    let trend: Chart?
    let table: RunTable?
    let empty: EmptyList?
    let first: Link?
    let next: Link?

    /// Makes the page from one piece of the list.
    ///
    /// - Parameters:
    ///   - entries: The runs to show, in the order that was requested.
    ///   - projects: Every project in the store, for the filter.
    ///   - project: The project of the list, if it is of one.
    ///   - filter: The filter of the list.
    ///   - order: The order that was requested; `nil` is the newest first.
    ///   - branches: The branches of the project, to choose from.
    ///   - before: The run behind which the list was asked to begin, if any.
    ///   - hasOlder: Whether the list goes on behind the last entry.
    ///   - now: The moment that relative times refer to; without one, times are told as they were.
    ///   - links: How links are written.
    public init(
        entries: [RunSummary],
        projects: [ProjectSummary],
        project: String?,
        filter: RunFilter = RunFilter(),
        order: ListOrder? = nil,
        branches: [String] = [],
        before: RunID?,
        hasOlder: Bool,
        now: Date?,
        links: Links = .dashboard
    ) {
        let shown = projects.filter { entry in project.map { Name(entry.name) == Name($0) } ?? true }
        let total = shown.reduce(0) { $0 + $1.runs }
        frame = PageFrame(title: project.map { "Runs of \($0)" } ?? "Runs", here: project, links: links)
        heading = BreakableText(project ?? "All runs")
        var summary = Figures.counted(total, "run")
        if !filter.isEmpty {
            let found = Figures.grouped(entries.count)
            summary = before == nil && !hasOlder ? "\(found) of \(summary)" : "Those that match, of \(summary)"
        }
        if project == nil, projects.count > 1 { summary += " of \(Figures.counted(projects.count, "project"))" }
        if before != nil, let first = entries.first {
            summary += ", \(order == nil ? "older ones " : "")from \(first.id.short)"
        }
        self.summary = summary
        // A report in a folder is about one project and has no page of another.
        let hasFilters = links.find(.health) != nil && (projects.count > 1 || project != nil)
        tabs =
            links.find(.health) == nil ? nil : project.map { Tabs(of: $0, selected: .runs(project: $0), links: links) }
        filters = hasFilters && project == nil ? ProjectFilters(projects, selected: project, links: links) : nil
        form =
            links.find(.health) == nil
            ? nil : FilterForm(filter, order, project: project, branches: branches, links: links)
        let showsProject = project == nil && projects.count > 1
        trend = showsProject || order != nil ? nil : Self.trend(entries, links)
        let comparing = project == nil || entries.count < 2 ? nil : Self.comparing(links)
        let rows = entries.enumerated().map { place, entry in
            RunListRow(
                entry, showsProject: showsProject, now: now, links: links,
                pick: comparing == nil ? nil : RunPick(entry, place: place))
        }
        let sorting = Sorting(order, standard: .newestFirst) { order in
            links.find(.runs(project: project, filter: filter, order: order))
        }
        table = rows.isEmpty ? nil : RunTable(rows: rows, sorting: sorting, comparing: comparing)
        empty =
            entries.isEmpty
            ? EmptyList(project: project, isContinuation: before != nil, isFiltered: !filter.isEmpty) : nil
        let page = { (words: String, before: RunID?) in
            Link(words, links.href(.runs(project: project, before: before, filter: filter, order: order)))
        }
        first = before == nil ? nil : page(order == nil ? "↑ Newest" : "↑ First", nil)
        next = hasOlder ? entries.last.map { page(order == nil ? "Older runs →" : "Next runs →", $0.id) } : nil
    }

    /// The address that compares two runs, without its query; `nil` where there is none.
    private static func comparing(_ links: Links) -> String? {
        let any = RunID(milliseconds: 0, random: (0, 0))
        return links.find(.compare(any, any)).map { String($0.prefix { $0 != "?" }) }
    }

    /// The lines covered as a curve over the verdicts, the oldest run first; `nil` for fewer than two runs with coverage.
    private static func trend(_ newestFirst: [RunSummary], _ links: Links) -> Chart? {
        let runs = Array(newestFirst.reversed())
        let points = runs.map { run in
            Chart.Point(
                value: run.lines.flatMap { $0.share }, style: run.decision.rawValue, date: run.startedAt,
                href: links.find(run.route),
                words: "\(run.decision.word), \(run.lines.map { Figures.percent($0) } ?? "no coverage")")
        }
        let measured = runs.compactMap(\.lines).filter { $0.total > 0 }
        guard let first = measured.first, let last = measured.last else { return nil }
        let passed = runs.count { $0.decision == .passed }
        let decisions = [Decision.passed, .failed, .undecided].filter { decision in
            runs.contains { $0.decision == decision }
        }
        return Chart.curve(
            points, title: "Lines covered",
            summary: "\(Figures.percent(first)) to \(Figures.percent(last)); \(Figures.grouped(passed)) of these "
                + "\(Figures.counted(runs.count, "run")) passed",
            scale: .percent(points.compactMap(\.value)), legend: decisions.map { ($0.rawValue, $0.word.lowercased()) },
            showsVerdicts: true)
    }
}

/// Runs, one a line.
struct RunTable: Sendable {
    let columns: [Column]
    let rows: [RunListRow]
    /// Whether a head orders it.
    let isSortable: Bool
    /// Where two of the runs, which a reader picks, are compared; `nil` where they cannot be.
    let comparing: String?

    init(rows: [RunListRow], sorting: Sorting? = nil, comparing: String? = nil) {
        let shown = RunColumn.all.indices.filter { place in
            !RunColumn.all[place].isRare || rows.contains { !$0.figures[place].isMissing }
        }
        let heads =
            ListColumns.runHeads(shown.map { RunColumn.all[$0] }) + (comparing == nil ? [] : ["From, to"])
        self.comparing = comparing
        columns = heads.map { Column($0, sorting) }
        isSortable = columns.contains { $0.link != nil }
        self.rows = rows.map { row in
            var row = row
            row.figures = shown.map { row.figures[$0] }
            return row
        }
    }
}

/// The projects as links that filter the list.
struct ProjectFilters: Sendable {
    /// One of them.
    struct Choice: Sendable {
        let href: String
        let name: BreakableText
        let count: String
        let isSelected: Bool
    }

    let choices: [Choice]

    init(_ projects: [ProjectSummary], selected: String?, links: Links) {
        let everything = Choice(
            href: links.href(.runs()), name: BreakableText("All"),
            count: Figures.grouped(projects.reduce(0) { $0 + $1.runs }), isSelected: selected == nil
        )
        choices =
            [everything]
            + projects.map { project in
                Choice(
                    href: links.href(.runs(project: project.name)), name: BreakableText(project.name),
                    count: Figures.grouped(project.runs),
                    isSelected: selected.map { Name($0) == Name(project.name) } ?? false
                )
            }
    }
}

/// Why a list is empty and what to do about it.
struct EmptyList: Sendable {
    let reason: String
    let remedy: String
    let command: String?

    init(_ reason: String, _ remedy: String, command: String? = nil) {
        (self.reason, self.remedy, self.command) = (reason, remedy, command)
    }

    /// Of a list that is kept to something that no entry has.
    static let nothingMatches = EmptyList(
        "Nothing in this list matches.", "Without the filter, the list may have entries.")

    /// Of a project with runs that all speak for no branch.
    ///
    /// - Parameter attempt: The newest of them.
    init(attempt: RunSummary?, project: String) {
        switch attempt?.trust {
        case .laptop:
            reason = "What laptops deliver is never the state of a branch."
            remedy = "Have CI deliver, with a token that the server's operator makes:"
            command = "kanmon token create ci --scope attest --project \(ShellWord.quoted(project))"
        case .distrusted:
            reason = "The token that delivered the latest run is distrusted."
            remedy = "Have CI deliver again, with another token, or run all tests of a commit here:"
            command = "kanmon run --commit HEAD"
        case .otherVersion:
            reason = "What another version of Kanmon has collected says nothing of a branch."
            remedy = "Run all tests of a commit:"
            command = "kanmon run --commit HEAD"
        case .workingCopy, .ci, .local, nil:
            reason = "Only runs of working copies, of staged files or of a part of the tests are stored."
            remedy = "Run all tests of a commit:"
            command = "kanmon run --commit HEAD"
        }
    }

    init(project: String?, isContinuation: Bool, isFiltered: Bool = false) {
        if isFiltered, !isContinuation {
            reason = "No run matches."
            remedy = "Clear a field of the filter above, or all of them."
            command = nil
        } else if isContinuation {
            reason = "There are no older runs."
            remedy = "The list is complete."
            command = nil
        } else if let project {
            reason = "No run of the project \(project) is stored here."
            remedy = "See all projects, or run the gate in a clone of it:"
            command = "kanmon run"
        } else {
            reason = "No run is stored yet."
            remedy = "Run the gate in the folder of a Swift package, then reload this page:"
            command = "kanmon run"
        }
    }
}
