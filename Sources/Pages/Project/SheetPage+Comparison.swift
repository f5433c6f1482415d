public import Foundation
public import Gate
import RunModel
import Wording

/// The pages that a run leads to.
struct RelatedPages: Sendable {
    let links: [Link]

    /// `nil` where there is no other page.
    init?(_ run: TestRun, _ comparison: RunComparison?, links: Links) {
        let ways: [(String, Route)] = [
            ("The project", .project(run.project)),
            comparison.map { ("Compared with run \($0.before.id.short)", .compare($0.before.id, $0.after.id)) },
            run.coverage.map { _ in ("Coverage as a map", .coverage(run.id)) },
            ("Log and evidence", .evidence(run.id)), ("Policy", .policy(run.id)),
            ("Exclusions", .list(.exclusions, project: run.project)),
        ].compactMap { $0 }
        self.links = ways.compactMap { name, route in links.find(route).map { Link(name, $0) } }
        if self.links.isEmpty { return nil }
    }
}

extension SheetSection {
    /// How many tests are listed on the page of a run; the comparison has them all.
    static let mostDifferences = 20

    /// What changed since an earlier run, on the page of the later one.
    init(differences entry: RunComparison, project: String, links: Links) {
        let shown = entry.tests.filter { $0.kind != .stillFailing }.prefix(Self.mostDifferences)
        self.init(
            "What changed",
            note: "Against \(entry.before.runWords): \(entry.words).",
            .changes(Array(shown), titles: entry.titles, project: project, links: links),
            more: [links.find(.compare(entry.before.id, entry.after.id)).map { Link("Compare both runs", $0) }])
    }
}

extension CellTable {
    /// Tests with how they ended before and after.
    static func changes(
        _ changes: [ChangedTest], titles: [TestID: String], project: String, links: Links
    ) -> CellTable {
        CellTable(
            ["Test", "Change", "Before", "After"],
            changes.map { change in
                [
                    .test(change.id, title: titles[change.id], project, links),
                    .words(change.words, "Change"), .state(change.before, "Before"),
                    .state(change.after, "After"),
                ]
            })
    }
}

extension RunSummary {
    /// A run in a sentence: `run 0123456789ab of main at 9f3c2ab1`.
    var runWords: String {
        let branch = self.revision?.branch.map { " of \($0)" } ?? ""
        let commit = self.revision?.commit.map { " at \($0.prefix(8))" } ?? ""
        return "run \(self.id.short)\(branch)\(commit)"
    }
}

extension SheetPage {
    /// Two runs of a project and everything in which they differ.
    ///
    /// - Parameter change: How the later run covers the lines that changed since the earlier one; `nil` where these are unknown.
    public static func comparison(
        _ entry: RunComparison, change: ChangeStatus? = nil, now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        let project = entry.after.project
        let runs = [entry.before, entry.after].map {
            RunListRow($0, showsProject: false, now: now, links: links)
        }
        return SheetPage(
            frame: PageFrame(
                title: "Comparison of two runs", crumbs: [Link(project, links.project(project))], here: "comparison",
                links: links),
            heading: "From run \(entry.before.id.short) to \(entry.after.id.short)",
            summary: "\(entry.words.capitalizedFirst).",
            sections: [SheetSection("Before and after", runs: runs)] + differences(entry, links),
            change: section(of: change, in: entry, links))
    }

    /// How many tests are listed of each kind, and how many modules.
    static let mostDifferences = 500

    /// How many more there are than are listed; `nil` where all are.
    private static func rest(of count: Int) -> String? {
        guard count > mostDifferences else { return nil }
        return "The first \(mostDifferences), and \(Figures.grouped(count - mostDifferences)) more."
    }

    /// Everything in which two runs differ: tests by what became of them, slower ones, modules.
    static func differences(_ entry: RunComparison, _ links: Links) -> [SheetSection] {
        let project = entry.after.project
        var sections = ChangedTest.Kind.allCases.compactMap { kind -> SheetSection? in
            let changes = entry.tests(kind)
            guard !changes.isEmpty else { return nil }
            return SheetSection(
                "\(kind.heading): \(Figures.grouped(changes.count))", note: rest(of: changes.count),
                .changes(
                    Array(changes.prefix(mostDifferences)), titles: entry.titles, project: project, links: links))
        }
        if !entry.slower.isEmpty {
            sections.append(
                SheetSection(
                    "Slower: \(Figures.grouped(entry.slower.count))",
                    note: (["\(RunComparison.slowerWords.capitalizedFirst)."] + [rest(of: entry.slower.count)])
                        .compactMap { $0 }.joined(separator: " "),
                    slower(entry, links)))
        }
        return sections + [
            SheetSection(
                "Modules", note: rest(of: entry.modules.count), modules(entry, links),
                empty: EmptyList(entry.moduleAbsence, "Every full run records coverage."))
        ]
    }

    private static func slower(_ entry: RunComparison, _ links: Links) -> CellTable {
        CellTable(
            ["Test", "#Before", "#After"],
            entry.slower.prefix(mostDifferences).map { test in
                [
                    .test(test.id, title: entry.titles[test.id], entry.after.project, links),
                    .figure(Figures.duration(test.before), "Before"), .figure(Figures.duration(test.after), "After"),
                ]
            })
    }

    /// How the later run covers the lines that changed, or why that is unknown.
    static func section(of change: ChangeStatus?, in entry: RunComparison, _ links: Links) -> ChangeSection? {
        if let words = change?.words {
            return ChangeSection(words, links: RunLinks(entry.after.id, project: entry.after.project, links))
        }
        return entry.absenceOfChange.map { ChangeSection(absence: $0) }
    }

    private static func modules(_ entry: RunComparison, _ links: Links) -> CellTable {
        CellTable(
            ["Module", "#Before", "#After", "#Change"],
            entry.modules.prefix(mostDifferences).map { module in
                let run = module.after == nil ? entry.before.id : entry.after.id
                return [
                    .name(module.module, links.find(.coverage(run, module: module.module))),
                    .tally(module.before, "Before"), .tally(module.after, "After"),
                    .change(from: module.before, to: module.after),
                ]
            })
    }
}

extension Cell {
    /// Lines covered of all, or that there are none.
    static func tally(_ tally: CoverageTally?, _ label: String) -> Cell {
        .figure(
            tally.map { Figures.percent($0) } ?? "–", label,
            detail: tally.flatMap { $0.total > 0 ? Figures.tally($0) : nil })
    }

    /// The difference of two percentages, in points to the hundredth; `–` where one is missing.
    static func change(from before: CoverageTally?, to after: CoverageTally?) -> Cell {
        guard let before, let after, let change = before.points(to: after) else { return .figure("–", "Change") }
        return .figure(change.words, "Change", isBad: change.hundredths < 0)
    }
}

extension CoverageTally {
    /// How many percentage points there are from one share to another, in hundredths and in words; `nil` where one has no line.
    func points(to after: CoverageTally) -> (hundredths: Int, words: String)? {
        guard let from = share, let to = after.share else { return nil }
        let hundredths = Int(((to - from) * 10_000).rounded())
        let sign = hundredths > 0 ? "+" : hundredths < 0 ? "−" : "±"
        let digits = hundredths.magnitude
        let fraction = digits % 100 < 10 ? "0\(digits % 100)" : "\(digits % 100)"
        return (hundredths, "\(sign)\(digits / 100).\(fraction)")
    }
}

extension String {
    /// The text with its first letter as a sentence begins.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
