public import Foundation
import Gate
import RunModel
import Wording

extension SheetPage {
    /// How many runs of a branch are looked at, and how many of them are listed.
    public static let lookedRuns = 100
    private static let listedRuns = 20
    /// How many reasons of the gate are listed; the rest is counted.
    private static let listedReasons = 200

    /// One branch: what fails there now and since when, where it last passed, its latest runs. A branch that was made for another one
    /// is a change: what it does to that one comes first.
    public static func branch(_ state: BranchState, now: Date?, links: Links = .dashboard) -> SheetPage {
        let row = { (run: RunSummary) in RunListRow(run, showsProject: false, now: now, links: links) }
        let latest = state.runs.first
        var failing: [SheetSection] = []
        if let latest, latest.decision != .passed {
            if !state.regressions.isEmpty {
                failing.append(
                    SheetSection(failing: state.regressions, of: latest, in: state.project, "Failing now", now, links))
            }
            failing.append(
                SheetSection(
                    "Latest run that passed", runs: state.lastPassed.map { [row($0)] } ?? [],
                    empty: EmptyList(
                        state.runs.count == 1
                            ? "Its only run did not pass." : "None of its last \(state.runs.count) runs passed.",
                        "The list of all its runs has older ones.")))
        }
        let change = state.change
        let all = Route.runs(project: state.project, filter: RunFilter(branch: state.name))
        return SheetPage(
            frame: PageFrame(
                title: "\(state.name) of \(state.project)", crumbs: [Link(state.project, links.project(state.project))],
                here: state.name, links: links),
            sign: latest.map { Sign(style: $0.decision.rawValue, text: $0.decision.sign) }, heading: state.name,
            summary: latest.map { latest in
                "\(latest.verdictWords), \(Moment(latest.startedAt, now: now).words):"
            } ?? noWholeRun,
            subject: subject(latest, links),
            opening: change.flatMap { section(of: $0.lines, in: $0.comparison, links) },
            failing: failing,
            sections: (change.map { changed($0, now, links) } ?? []) + [
                SheetSection(
                    "Latest full runs", runs: state.runs.prefix(listedRuns).map(row),
                    empty: EmptyList(
                        "Only partial runs or runs of working copies are stored.",
                        "Run all tests of a commit:", command: "kanmon run --commit HEAD"),
                    more: [Link("All runs of this branch", links.href(all))])
            ])
    }

    /// What a change does: who made it, what the gate says, tests, modules.
    private static func changed(_ change: BranchChange, _ now: Date?, _ links: Links) -> [SheetSection] {
        let (before, after) = (change.comparison.before, change.comparison.after)
        var sections = [
            SheetSection(
                "What it changes",
                note: "\(change.comparison.words.capitalizedFirst), against \(before.runWords).",
                runs: [before, after].map { RunListRow($0, showsProject: false, now: now, links: links) },
                more: [
                    change.forge.comparison.map { Link("The change on its forge", $0) },
                    change.forge.commit.map { Link("The commit on its forge", $0) },
                    change.origin?.change.flatMap { asked in
                        asked.link.map { Link("Change request \(asked.description)", $0) }
                    },
                    change.origin?.build.flatMap { build in build.link.map { Link("Build \(build.name)", $0) } },
                ])
        ]
        if !change.violations.isEmpty {
            let rest = change.violations.count - listedReasons
            let reasons =
                change.violations.prefix(listedReasons).map { $0.sentence.cut(to: Reason.longest) }
                + (rest > 0 ? ["and \(Figures.counted(rest, "more reason")), on the page of the run"] : [])
            sections.append(
                SheetSection(
                    "What the gate says", note: change.causeWords,
                    CellTable(["Reason"], reasons.map { [.words($0, "Reason")] })))
        }
        return sections + differences(change.comparison, links)
    }
}

extension SheetSection {
    /// Tests that fail, with what was said, and since when they do; the run that has them all, where these are only the first.
    init(
        failing regressions: [Regression], of latest: RunSummary?, in project: String, _ title: String, _ now: Date?,
        _ links: Links
    ) {
        self.init(
            title,
            CellTable(
                ["Test", "Failing since", "Last passed"],
                regressions.map { regression in
                    [
                        .test(regression.test, title: regression.title, project, links, detail: regression.message)
                    ] + regression.cells(now, links)
                }), more: [latest?.allFailures(behind: regressions, links)])
    }
}

extension RunSummary {
    /// The way to all failures of the run, where a list has only the first.
    func allFailures(of place: String = "the latest run", behind listed: [Regression], _ links: Links) -> Link? {
        guard listed.count >= SheetPage.listedRegressions, outcomes.failures > listed.count else { return nil }
        return Link("All \(Figures.counted(outcomes.failures, "failed test")) of \(place)", links.href(route))
    }
}

extension Cell {
    /// A branch, as a link to its page.
    static func branch(_ name: String?, of project: String, _ links: Links) -> Cell {
        let href = name.flatMap { links.find(.branch($0, project: project)) }
        var cell = Cell.name(name ?? "–", href)
        cell.style = "words"
        cell.label = "Branch"
        return cell
    }
}
