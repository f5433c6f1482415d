import Gate
import RunModel
import Wording

/// The lists of files, one for each module.
struct FileLists: Sendable {
    /// How many files are listed at most, all together.
    static let most = 5000

    let lists: [ModuleFiles]
}

/// The files of one module, the ones with the most missed lines first.
struct ModuleFiles: Sendable {
    let anchor: String
    let name: BreakableText
    let summary: String
    /// Whether the list is unfolded, as for a module under its floor.
    let isOpen: Bool
    let rows: [FileRow]
    let functions: FunctionList?

    /// `nil` for a module without a file in the report.
    ///
    /// - Parameters:
    ///   - files: Those of the module.
    ///   - most: How many of them are listed at most.
    init?(
        _ status: ModuleCoverage, number: Int, files measured: [FileCoverage], most: Int, counted: CountedFiles,
        links: RunLinks
    ) {
        let files =
            measured
            .map { (file: $0, tally: $0.lineTally, isCounted: counted.contains($0)) }
            .sorted { left, right in
                guard left.isCounted == right.isCounted else { return left.isCounted }
                return left.tally.missed == right.tally.missed
                    ? Name(left.file.path) < Name(right.file.path)
                    : left.tally.missed > right.tally.missed
            }
        guard !files.isEmpty else { return nil }
        let countedFiles = files.filter(\.isCounted)
        let missed = countedFiles.reduce(0) { $0 + $1.tally.missed }
        let excluded = files.count - countedFiles.count
        anchor = "files-\(number)"
        name = BreakableText(status.module)
        summary =
            Figures.counted(countedFiles.count, "file") + ", "
            + (missed == 0 ? "no line missed" : Figures.counted(missed, "line") + " missed")
            + (excluded == 0 ? "" : "; \(Figures.counted(excluded, "file")) excluded")
            + (files.count <= most ? "" : "; \(Figures.grouped(most)) of them are listed")
        isOpen = status.state == .underFloor
        rows = files.prefix(most).map { FileRow($0.file, $0.tally, isCounted: $0.isCounted, links: links) }
        functions = FunctionList(countedFiles.map(\.file), links: links)
    }
}

/// One file with its missed lines.
struct FileRow: Sendable, TemplateValue {
    /// How many ranges are listed; the page of the file has all.
    static let most = 12

    let href: String
    let path: BreakableText
    /// The remark that its lines do not count, if they do not.
    let exclusion: String?
    let bar: Bar
    let percent: String
    let fraction: String
    let ranges: [LineRange]
    /// What was not executed, in more detail than lines.
    let unexecuted: String?

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "href": href
        case "path": path
        case "exclusion": exclusion
        case "bar": bar
        case "percent": percent
        case "fraction": fraction
        case "ranges": ranges
        case "unexecuted": unexecuted
        default: nil
        }
    }

    init(_ file: FileCoverage, _ tally: CoverageTally, isCounted: Bool, links: RunLinks) {
        href = links.source(file.path)
        path = BreakableText(file.path)
        exclusion = isCounted ? nil : CountedFiles.exclusion
        bar = Bar(tally, floor: nil)
        percent = Figures.percent(tally)
        fraction = Figures.tally(tally)
        unexecuted = file.unexecuted?.summary
        ranges = LineRange.missed(in: file, atMost: Self.most, links)
    }
}
