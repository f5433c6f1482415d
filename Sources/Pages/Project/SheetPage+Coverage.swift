public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// The coverage of a run as a map and as a tree of folders and files: of all modules, or of one.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - coverage: What it covered; `nil` without coverage.
    ///   - verdict: What the gate said of it.
    ///   - module: The module, by its manifest name; `nil` for all.
    ///   - order: The requested order of modules and files; files are listed in it without their folders.
    ///   - sole: The functions of the module that one test alone executes, as far as that was recorded.
    ///   - titles: What tests are called for readers, where that is not the identity.
    ///   - names: What the function of a symbol is called for readers.
    ///   - trend: The lines of that module in the latest runs of the default branch, the newest first.
    /// - Returns: `nil` when the run has no such module.
    public static func coverage(
        _ run: RunHead, _ coverage: Coverage?, _ verdict: Verdict, module: String?, order: ListOrder? = nil,
        sole: [TestMap.SoleFunction] = [], titles: [TestID: String] = [:], names: (String) -> String = { $0 },
        trend: [(run: RunSummary, lines: CoverageTally)], links: Links = .dashboard
    ) -> SheetPage? {
        let statuses = verdict.modules.filter { status in
            module.map { Name(status.module) == Name($0) } ?? true
        }
        guard module == nil || !statuses.isEmpty else { return nil }
        let shown = Set(statuses.map { Name($0.module) })
        let files = (coverage?.files ?? []).filter { shown.contains(Name($0.module)) }
        let runLinks = RunLinks(run.id, project: run.project, links)
        let counted = CountedFiles(coverage, verdict)
        let countedFiles = files.filter(counted.contains)
        let lines = countedFiles.reduce(CoverageTally()) { $0 + $1.lineTally }
        let excluded = files.count - countedFiles.count
        let exclusion = excluded == 0 ? "" : "; \(Figures.counted(excluded, "file")) excluded"
        let sorting = Sorting(order, standard: nil) { links.find(.coverage(run.id, module: module, order: $0)) }
        let heading = module ?? "Coverage of \(run.package)"
        var crumbs = [Link(run.project, links.project(run.project)), Link("run \(run.id.short)", runLinks.page())]
        if module != nil { crumbs.append(Link("coverage", links.href(.coverage(run.id)))) }
        return SheetPage(
            frame: PageFrame(title: heading, crumbs: crumbs, here: module ?? "coverage", links: links),
            heading: heading,
            summary: lines.total == 0
                ? "No executable line counts\(exclusion)."
                : "\(Figures.percent(lines)): \(Figures.tally(lines)) executable lines in "
                    + "\(Figures.counted(countedFiles.count, "file"))\(exclusion).",
            tiles: module == nil ? [] : statuses.first.map { tiles($0) } ?? [],
            charts: module.flatMap { name in statuses.first.flatMap { self.trend(of: name, $0, trend, links) } }
                .map { [$0] } ?? [],
            map: countedFiles.count > FileLists.most ? nil : CoverageTreemap(countedFiles, links: runLinks),
            sections: module == nil
                ? [
                    modules(statuses.sorted(by: order), run.id, sorting, links),
                    list(files, counted, sorting, runLinks),
                ]
                : [list(files, counted, sorting, runLinks)]
                    + (functionsOfOneTest(sole, titles: titles, names: names, runLinks).map { [$0] } ?? []))
    }

    private static func modules(
        _ statuses: [ModuleCoverage], _ run: RunID, _ sorting: Sorting, _ links: Links
    ) -> SheetSection {
        SheetSection(
            "Modules",
            CellTable(
                [
                    .by(.name, "Module"), "Lines covered, with the floor", "#Floor", .by(.coverage, "#Lines"),
                    .by(.missed, "#Missed"),
                ],
                statuses.map { status in
                    let floor = status.floors.line
                    return [
                        .module(status, run, links),
                        Cell(style: "bars", bar: status.absence == nil ? Bar(status.lines, floor: floor) : nil),
                        .figure(floor.map { Figures.percent($0) } ?? "–", "Floor"),
                        .tally(status.absence == nil ? status.lines : nil, "Lines"),
                        .figure(status.absence == nil ? Figures.grouped(status.lines.missed) : "–", "Missed"),
                    ]
                }, sorting: sorting))
    }

    private static func tiles(_ status: ModuleCoverage) -> [Tile] {
        guard status.absence == nil else { return [] }
        return CoverageMetric.allCases.map { metric in
            let tally = status.tally(metric)
            let floor = status.floors[metric]
            return Tile(
                name: metric.heading, figure: Figures.percent(tally), unit: Figures.tally(tally),
                bar: Bar(tally, floor: floor),
                detail: floor.map { floor in
                    let missing = floor.shortfall(of: tally)
                    let words = missing == 0 ? "reached" : "\(Figures.grouped(missing)) short"
                    return "floor \(Figures.percent(floor)), \(words)"
                } ?? "no floor",
                href: nil)
        }
    }

    private static func trend(
        of module: String, _ status: ModuleCoverage, _ newestFirst: [(run: RunSummary, lines: CoverageTally)],
        _ links: Links
    ) -> Chart? {
        let points = newestFirst.reversed().map { entry in
            Chart.Point(
                value: entry.lines.share, date: entry.run.startedAt,
                href: links.href(.coverage(entry.run.id, module: module)),
                words: "\(entry.run.runWords): \(Figures.percent(entry.lines))")
        }
        let floor = status.floors.line
        return Chart.curve(
            points, title: "Lines covered",
            summary: "over \(Figures.counted(points.count, "run"))"
                + (floor.map { ", dashed: the floor, \(Figures.percent($0))" } ?? ""),
            scale: .percent(points.compactMap(\.value) + (floor.map { [$0.share] } ?? [])), rule: floor?.share)
    }

    /// The files by their folders, or in the order that was requested. In the tree a folder with nothing but one folder
    /// in it is one line with it.
    private static func list(
        _ files: [FileCoverage], _ counted: CountedFiles, _ sorting: Sorting, _ links: RunLinks
    ) -> SheetSection {
        // The tree is of all files, as each of its folders has the total of those in it.
        let rows =
            sorting.asked == nil
            ? Array(FileTree(files, isCounted: counted.contains).rows.prefix(FileLists.most))
            : files.map { MeasuredFile($0) }.sorted(by: sorting.asked).prefix(FileLists.most).map { measured in
                FileTree.Row(
                    name: measured.file.path, depth: 0, lines: measured.lines, file: measured.file,
                    isCounted: counted.contains(measured.file))
            }
        let table = CellTable(
            [
                .by(.name, sorting.asked == nil ? "Folder or file" : "File"), "Lines covered", .by(.coverage, "#Lines"),
                .by(.missed, "#Missed"), "Missed lines",
            ],
            rows.map { row in
                let ranges = row.file.map { LineRange.missed(in: $0, atMost: 6, links) } ?? []
                var name = Cell.name(
                    row.name, row.file.map { links.source($0.path) },
                    detail: row.isCounted ? nil : CountedFiles.exclusion)
                name.style = "name depth-\(min(row.depth, 4))"
                return [
                    name, Cell(style: "bars", bar: Bar(row.lines, floor: nil)), .tally(row.lines, "Lines"),
                    .figure(Figures.grouped(row.lines.missed), "Missed"),
                    Cell(style: "ranges", label: ranges.isEmpty ? nil : "Missed lines", ranges: ranges),
                ]
            }, sorting: sorting)
        let shown = rows.count { $0.file != nil }
        let rest = files.count - shown
        return SheetSection(
            "Files",
            note: rest > 0
                ? "The first \(Figures.counted(shown, "file")), and \(Figures.grouped(rest)) more." : nil,
            table,
            empty: EmptyList(
                "No file is recorded.", "Every full run that could be built records coverage."),
            more: [sorting.asked == nil ? nil : sorting.href(nil).map { Link("Folder by folder", $0) }])
    }
}

extension Cell {
    /// A module, as a link to its coverage; with why there is none.
    static func module(_ status: ModuleCoverage, _ run: RunID, _ links: Links) -> Cell {
        .name(
            status.module, links.find(.coverage(run, module: status.module)), detail: status.absence)
    }
}
