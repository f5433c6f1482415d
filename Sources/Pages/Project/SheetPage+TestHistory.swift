public import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// How many runs the history of a test looks back.
    public static let historyOfTest = 200

    /// One test over the runs of its project: how it ended, how long it took, and since when it fails.
    ///
    /// - Parameters:
    ///   - title: What it is called for readers; `nil` where only the identity says it.
    ///   - tags: Its tags.
    ///   - points: What became of it, the newest run first.
    ///   - regression: Since when it fails, if it fails now.
    ///   - broken: What broke it, as far as anybody has looked.
    ///   - flakiness: How it fared over months, if it is flaky, or was before it broke.
    ///   - executed: What it executes in a run, if that was recorded.
    ///   - between: The runs behind the last that it passed, up to the first that it failed, the newest first.
    public static func test(
        _ test: TestID, title: String? = nil, tags: [String] = [], project: String, points: [TestHistoryEntry],
        regression: Regression?, broken: FoundCulprit? = nil, flakiness: TestFlakiness? = nil,
        executed: (run: RunSummary, files: [TestMap.ExecutedFile])? = nil, between: [RunSummary], now: Date?,
        links: Links = .dashboard
    ) -> SheetPage {
        // What a working copy did is in the list, but tells nothing of the project.
        let exact = points.filter(\.isExact)
        let shown = self.shown(points)
        let executions = exact.filter(\.outcome.wasExecuted)
        let failures = executions.count(where: \.outcome.isFailure)
        let latest = exact.first?.outcome
        var failing: [SheetSection] = []
        var sections: [SheetSection] = []
        if let regression {
            failing.append(
                SheetSection(
                    "Failing since", CellTable(["Failing since", "Last passed"], [regression.cells(now, links)])))
            if let broken { failing.append(SheetSection(brokenBy: broken, now: now, links: links)) }
            if regression.lastPassed != nil {
                sections.append(
                    SheetSection(
                        "Runs up to its first failure",
                        runs: between.map { RunListRow($0, showsProject: false, now: now, links: links) }))
            }
        }
        if let flakiness { sections += self.sections(of: flakiness, now: now, links) }
        sections.append(
            SheetSection(
                "History",
                CellTable(
                    ["Outcome", "Run", "Branch", "#Attempts", "#Time", "#Began"],
                    shown.map { $0.cells(now, of: project, links) }),
                empty: EmptyList(
                    "No run has this test.",
                    "It may have been renamed: a new name is a new test. Search for a part of the name.")))
        if let executed { sections.append(self.executed(executed.files, in: executed.run, links)) }
        let attached = self.shown(points.filter { !$0.attachments.isEmpty }).flatMap { point in
            point.attachments.map { $0.cells(of: point, links) }
        }
        if !attached.isEmpty {
            sections.append(
                SheetSection(
                    "Attachments", CellTable(["File", "Run", "#Size", "#Began"], Array(attached.prefix(50)))))
        }
        return SheetPage(
            frame: PageFrame(
                title: title ?? test.qualifiedName, crumbs: [Link(project, links.project(project))],
                here: title ?? test.name,
                links: links),
            sign: latest.map {
                Sign(style: $0.isFailure ? "failed" : $0 == .passed ? "passed" : "quiet", text: $0.sign)
            },
            heading: title ?? test.name,
            summary: (title == nil
                ? [test.module, test.suite, test.discriminator].filter { !$0.isEmpty } : [test.description])
                .joined(separator: " · "),
            tags: tags.map { TagMark($0, links.find(.search($0))) },
            failing: failing, tiles: tiles(exact, executed: executions, failures: failures),
            charts: charts(exact, links) + [flakiness.flatMap { hours(of: $0.history) }].compactMap { $0 },
            sections: sections)
    }

    /// The newest 50, the newest first: of working copies at most ten where there are enough others, so that they do not hide those.
    private static func shown(_ newestFirst: [TestHistoryEntry]) -> [TestHistoryEntry] {
        let exact = newestFirst.count(where: \.isExact)
        var left = (exact: max(40, 50 - (newestFirst.count - exact)), other: max(10, 50 - exact))
        return newestFirst.filter { point in
            if point.isExact { left.exact -= 1 } else { left.other -= 1 }
            return (point.isExact ? left.exact : left.other) >= 0
        }
    }

    private static func tiles(
        _ points: [TestHistoryEntry], executed: [TestHistoryEntry], failures: Int
    ) -> [Tile] {
        guard let latest = points.first else { return [] }
        let flips = TestHistoryEntry.flips(points)
        let durations = points.compactMap(\.duration).sorted()
        let middle = durations.isEmpty ? nil : durations[(durations.count - 1) / 2]
        let recovered = executed.count { $0.attempts > 1 && !$0.outcome.isFailure }
        return [
            Tile(
                name: "Latest run", figure: latest.outcome.label.capitalizedFirst, unit: "", bar: nil,
                detail: latest.branch ?? "", href: nil),
            Tile(
                name: "Failed", figure: Figures.grouped(failures),
                unit: "of \(Figures.counted(executed.count, "execution"))",
                bar: Bar(
                    label: "\(executed.count - failures) passed, \(failures) failed",
                    parts: [("passed", executed.count - failures), ("failed", failures)]),
                detail: recovered == 0 ? "no retry was needed" : "\(Figures.grouped(recovered)) passed after a retry",
                href: nil),
            Tile(
                name: "Flips", figure: Figures.grouped(flips),
                unit: flips == 1 ? "change of outcome" : "changes of outcome", bar: nil,
                detail: "from one run of a branch to the next", href: nil),
            Tile(
                name: "Time", figure: middle.map { Figures.duration($0) } ?? "–", unit: "median", bar: nil,
                detail: durations.last.map { "longest \(Figures.duration($0))" } ?? "no duration is recorded", href: nil
            ),
        ]
    }

    private static func charts(_ newestFirst: [TestHistoryEntry], _ links: Links) -> [Chart] {
        let points = Array(newestFirst.reversed())
        let href = { (id: RunID) in links.href(.run(id)) }
        let outcomes = points.map { point in
            Chart.Point(
                style: point.style, date: point.startedAt, href: href(point.run),
                words: "\(point.place): \(point.words)")
        }
        let times = points.map { point in
            Chart.Point(
                value: point.duration.map { $0 / .seconds(1) }, style: point.style, date: point.startedAt,
                href: href(point.run), words: "\(point.place): \(point.duration.map { Figures.duration($0) } ?? "–")")
        }
        let durations = points.compactMap(\.duration).sorted()
        let middle = durations.isEmpty ? .zero : durations[(durations.count - 1) / 2]
        let legend = (Outcome.allCases.map { ($0.rawValue, $0.label) } + [("flaky", "passed after a retry")])
            .filter { style, _ in points.contains { $0.style == style } }
        return [
            Chart.strip(
                outcomes, title: "Outcomes", summary: "the last \(Figures.counted(points.count, "run")), newest right",
                legend: legend),
            Chart.dots(
                times, middle: middle / .seconds(1), title: "Time",
                summary: "dashed: the median, \(Figures.duration(middle))", legend: legend),
        ].compactMap { $0 }
    }
}

extension TestHistoryEntry {
    /// Where it ran, in words.
    var place: String {
        [branch, commit.map { String($0.prefix(8)) }].compactMap { $0 }.joined(separator: " at ")
    }

    /// The class of how it ended.
    var style: String { attempts > 1 && !outcome.isFailure ? "flaky" : outcome.rawValue }

    /// How it ended, in words.
    var words: String {
        attempts > 1 ? "\(outcome.label) in \(Figures.counted(attempts, "attempt"))" : outcome.label
    }

    func cells(_ now: Date?, of project: String, _ links: Links) -> [Cell] {
        [
            .state(outcome),
            Cell(
                style: "name",
                link: Link(
                    commit.map { String($0.prefix(8)) } ?? "run \(run.short)", links.href(.run(run))),
                detail: message?.cut(to: 300)),
            isExact ? .branch(branch, of: project, links) : .words("working copy", "Branch"),
            .figure(Figures.grouped(attempts), "Attempts"),
            .figure(duration.map { Figures.duration($0) } ?? "–", "Time"), .moment(startedAt, now: now),
        ]
    }

    /// How often the outcome changed from one execution on a branch to the next one there, on the branch where that was most often.
    static func flips(_ points: [TestHistoryEntry]) -> Int {
        var branches: [Name: (isFailure: Bool, flips: Int)] = [:]
        for point in points.reversed() where point.outcome.wasExecuted {
            let (branch, isFailure) = (Name(point.branch ?? ""), point.outcome.isFailure)
            let before = branches[branch] ?? (isFailure, 0)
            branches[branch] = (isFailure, before.flips + (before.isFailure == isFailure ? 0 : 1))
        }
        return branches.values.map(\.flips).max() ?? 0
    }
}

extension TestAttachment {
    /// A row of what a test attached, with its download.
    fileprivate func cells(of point: TestHistoryEntry, _ links: Links) -> [Cell] {
        [
            .name(name.cut(to: 100), links.find(.evidence(point.run, file: path))),
            .name(point.commit.map { String($0.prefix(8)) } ?? "run \(point.run.short)", links.href(.run(point.run))),
            .figure(Figures.bytes(bytes), "Size"), .moment(point.startedAt, now: nil),
        ]
    }
}
