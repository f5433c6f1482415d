public import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// How many runs the charts look back.
    public static let chartedRuns = 100
    /// How many branches are listed: those with the newest runs.
    public static let mostBranches = 200
    /// How many failing tests of a project are followed back to where they began to fail, and are listed.
    public static let listedRegressions = 10
    /// How many runs of working copies are listed.
    public static let listedWorkingCopies = 10

    /// One project: how its default branch stands, small charts over its last runs, its branches and latest runs.
    ///
    /// - Parameters:
    ///   - state: The default branch.
    ///   - runs: Its full runs, the newest first, at most `chartedRuns`.
    ///   - modules: The lines of the modules in those runs, in any order.
    ///   - branches: The latest run of each branch, the newest first, at most `mostBranches`.
    ///   - workingCopies: The latest runs of working copies, at most `listedWorkingCopies`. They are none of the others.
    ///   - badgeKey: What everybody may see the badge with; `nil` where it needs no key.
    ///   - feedKey: What everybody may read the feed with; `nil` where it needs no key.
    public static func project(
        _ state: ProjectState, runs: [RunSummary], modules: [ModuleInRun], branches: [RunSummary],
        workingCopies: [RunSummary] = [], badgeKey: String? = nil, feedKey: String? = nil, running: [LiveEntry] = [],
        now: Date?,
        links: Links = .dashboard
    ) -> SheetPage {
        let row = { (entry: RunSummary) in RunListRow(entry, showsProject: false, now: now, links: links) }
        var sections: [SheetSection] = []
        if let now, let section = SheetSection(running: running, showsProject: false, now: now, links: links) {
            sections.append(section)
        }
        sections += [
            SheetSection(expiring: [state], showsProject: false, now: now, links: links),
            SheetSection(hidden: state, links: links),
        ].compactMap { $0 }
        var failing: [SheetSection] = []
        if !state.regressions.isEmpty {
            let place = "Failing on \(state.branch ?? "the latest run")"
            failing.append(
                SheetSection(failing: state.regressions, of: state.latest, in: state.name, place, now, links))
        }
        let branchesTitle =
            branches.count < mostBranches ? "Branches" : "The \(mostBranches) branches with the newest runs"
        let empty =
            state.runs == 0
            ? EmptyList(project: state.name, isContinuation: false)
            : EmptyList(attempt: state.attempt, project: state.name)
        sections += [
            SheetSection(branchesTitle, runs: branches.map(row)),
            SheetSection(
                "Latest full runs", runs: runs.prefix(10).map(row), empty: empty,
                more: [Link("All \(Figures.counted(state.runs, "run"))", links.href(.runs(project: state.name)))]),
            modulesTable(runs, modules, links),
        ]
        if !workingCopies.isEmpty {
            let places = places(of: workingCopies)
            let isOfAttempts = workingCopies.contains { $0.trust.speaksForBranch || $0.trust == .otherVersion }
            sections.append(
                SheetSection(
                    isOfAttempts ? "Latest attempts" : "Latest runs \(places)", runs: workingCopies.map(row)))
        }
        sections += [
            SheetSection(
                "For machines",
                CellTable(["What", "Address"], addresses(state, badgeKey: badgeKey, feedKey: feedKey, links)))
        ]
        let sign = state.latest.map { Sign(style: $0.decision.rawValue, text: $0.decision.sign) }
        return SheetPage(
            frame: PageFrame(title: state.name, here: state.name, links: links), sign: sign, heading: state.name,
            summary: summary(state, now), subject: subject(state.latest, links),
            tabs: Tabs(of: state.name, selected: .project(state.name), links: links),
            failing: failing, charts: charts(runs, modules, links), sections: sections)
    }

    /// What is said where no run tells how a project stands.
    static let noWholeRun = "No run says how a branch stands."

    /// Where runs are from that speak for no branch.
    private static func places(of attempts: [RunSummary]) -> String {
        let isOfLaptop = attempts.map { $0.trust != .workingCopy }
        guard isOfLaptop.contains(true) else { return "of working copies" }
        return isOfLaptop.contains(false) ? "of working copies, and from laptops" : "from laptops"
    }

    private static func summary(_ state: ProjectState, _ now: Date?) -> String {
        guard let latest = state.latest else {
            let doubt = state.attempt?.doubt.map { ", the latest one \($0)" } ?? ""
            return "\(Figures.counted(state.runs, "run"))\(doubt). \(noWholeRun)"
        }
        return "\(Figures.counted(state.runs, "run")). \(state.branch ?? "Latest run"): \(latest.verdictWords), "
            + "\(Moment(latest.startedAt, now: now).words) in"
    }

    private static func addresses(
        _ state: ProjectState, badgeKey: String?, feedKey: String?, _ links: Links
    ) -> [[Cell]] {
        // The permalink leads to a run that says how the project stands: without one it leads nowhere.
        let latest: [(String, Route)] =
            state.latest == nil ? [] : [("Latest run", .permalink(project: state.name, .latest))]
        let found: [(String, Route)] =
            latest + [
                ("Badge", .badge(project: state.name, key: badgeKey)),
                ("Feed of regressions", .feed(project: state.name, key: feedKey)),
            ]
        return found.map { [.words($0), .name(links.href($1), links.href($1))] }
    }
}

extension SheetPage {
    /// Tests, duration, and lines of every module, the oldest run first.
    static func charts(_ newestFirst: [RunSummary], _ modules: [ModuleInRun], _ links: Links) -> [Chart] {
        let runs = Array(newestFirst.reversed())
        let href = { (run: RunSummary) in links.href(run.route) }
        let over = "over \(Figures.counted(runs.count, "run"))"
        let tests = runs.map { run in
            Chart.Point(
                value: Double(run.outcomes.total), bad: Double(run.outcomes.failures), date: run.startedAt,
                href: href(run),
                words: "\(run.runWords): \(Figures.list(run.outcomes))")
        }
        let durations = runs.map { run in
            Chart.Point(
                value: run.duration / .seconds(1), date: run.startedAt, href: href(run),
                words: "\(run.runWords): \(Figures.duration(run.duration))")
        }
        let charts = [
            Chart.bars(
                tests, title: "Tests", summary: "\(Figures.grouped(runs.last?.outcomes.total ?? 0)) now, \(over)",
                legend: [("passed", "did not fail"), ("failed", "failed")]),
            Chart.curve(
                durations, title: "Duration",
                summary: "\(runs.last.map { Figures.duration($0.duration) } ?? "–") now, \(over)",
                scale: .seconds(upTo: durations.compactMap(\.value).max() ?? 0)),
        ]
        return charts.compactMap { $0 } + moduleCharts(runs, modules, href)
    }

    /// The lines of every module, all on one scale, so that they can be compared.
    private static func moduleCharts(
        _ runs: [RunSummary], _ modules: [ModuleInRun], _ href: (RunSummary) -> String
    ) -> [Chart] {
        let byRun = Dictionary(grouping: modules, by: \.run)
        let curves = moduleNames(runs, byRun).map { name in
            (name: name, entries: runs.map { run in byRun[run.id]?.first { Name($0.module) == Name(name) } })
        }
        let entries = curves.flatMap(\.entries).compactMap { $0 }
        let scale = ChartScale.percent(entries.compactMap(\.lines.share) + entries.compactMap { $0.floor?.share })
        return curves.compactMap { name, entries in
            let points = zip(runs, entries).map { run, entry in
                Chart.Point(
                    value: entry?.lines.share, date: run.startedAt, href: href(run),
                    words: "\(run.runWords): \(entry.map { Figures.percent($0.lines) } ?? "not measured")")
            }
            let now = entries.last { $0 != nil } ?? nil
            let floor = now?.floor.map { ", floor \(Figures.percent($0))" } ?? ""
            return Chart.curve(
                points, title: name,
                summary: "\(now.map { "\(Figures.percent($0.lines)) of lines" } ?? "not measured")\(floor)",
                scale: scale, rule: now?.floor?.share)
        }
    }

    /// The modules of the latest run that measured any, at most twelve.
    private static func moduleNames(_ runs: [RunSummary], _ byRun: [RunID: [ModuleInRun]]) -> [String] {
        let latest = runs.last { byRun[$0.id] != nil }
        return (latest.flatMap { byRun[$0.id] } ?? []).map(\.module).prefix(12).map { $0 }
    }

    /// The numbers behind the charts of the modules: the newest run and the oldest of those shown.
    static func modulesTable(_ newestFirst: [RunSummary], _ modules: [ModuleInRun], _ links: Links) -> SheetSection {
        let byRun = Dictionary(grouping: modules, by: \.run)
        let measured = newestFirst.filter { byRun[$0.id] != nil }
        let now = measured.first.flatMap { byRun[$0.id] } ?? []
        let before = measured.last.flatMap { byRun[$0.id] } ?? []
        let rows = now.map { module -> [Cell] in
            let earlier = before.first { Name($0.module) == Name(module.module) }?.lines
            return [
                .name(module.module, links.find(.coverage(module.run, module: module.module))),
                Cell(style: "bars", bar: Bar(module.lines, floor: module.floor)),
                .tally(module.lines, "Lines"), .tally(earlier, "First"), .change(from: earlier, to: module.lines),
                fall(of: module.module, measured, byRun, links),
            ]
        }
        return SheetSection(
            "Modules over \(Figures.counted(measured.count, "run"))",
            CellTable(["Module", "Lines covered", "#Now", "#At first", "#Change", "Last fell with"], rows),
            empty: EmptyList(
                newestFirst.isEmpty
                    ? "No run is here whose coverage could be charted." : "These runs have no coverage.",
                "Runs of all tests that speak for a branch are charted; any other has its coverage on its own page."))
    }

    /// The newest run in which less of a module was covered than in the one before, as a link to what changed between them.
    private static func fall(
        of module: String, _ newestFirst: [RunSummary], _ byRun: [RunID: [ModuleInRun]], _ links: Links
    ) -> Cell {
        let entries = newestFirst.compactMap { run in
            byRun[run.id]?.first { Name($0.module) == Name(module) }.map { (run: run, lines: $0.lines) }
        }
        for (after, before) in zip(entries, entries.dropFirst()) {
            guard let change = before.lines.points(to: after.lines), change.hundredths < 0 else { continue }
            let revision = after.run.revision
            let words = [revision?.author, revision?.subject].compactMap { $0 }.joined(separator: ": ")
            return .name(
                revision?.shownCommit.map { String($0.prefix(8)) } ?? "run \(after.run.id.short)",
                links.find(.compare(before.run.id, after.run.id)),
                detail: "\(change.words) points" + (words.isEmpty ? "" : " · \(words)"))
        }
        return .words("–", "Last fell with")
    }
}
