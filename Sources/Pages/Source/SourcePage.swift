public import Gate
import RunModel
public import Web
import Wording

/// One source file of a run: covered and missed lines, and failures at their lines.
public struct SourcePage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.sourcePage
    /// Title and way back.
    public let frame: PageFrame

    let path: BreakableText
    let facts: SourceFacts?
    /// What is not known of the file.
    let remark: String?
    let jumps: Jumps?
    let functions: FunctionList?
    let absence: String?
    let cut: String?
    let listing: Listing?

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - source: What the run recorded of the file.
    ///   - change: The comparison with the base, if there is one.
    ///   - isExcluded: Whether its lines do not count.
    ///   - tests: How many tests execute each line; empty where that was not recorded, `nil` where they are too many to be counted.
    ///   - links: How links are written.
    public init(
        _ source: RecordedSource, change: ChangeStatus? = nil, isExcluded: Bool = false, tests: [Int32: Int]? = [:],
        links: Links = .dashboard
    ) {
        let (path, run, coverage, text) = (source.path, source.run, source.coverage, source.text)
        let changes = LineChanges(change, path: path)
        let runLinks = RunLinks(run.id, project: run.project, links)
        let ranges = coverage?.missedRanges ?? []
        frame = PageFrame(
            title: "\(path.lastPathComponent) in \(run.package)",
            crumbs: [
                Link(run.project, links.project(run.project)),
                Link("run \(run.id.short)", runLinks.page()),
            ],
            here: path.lastPathComponent, links: links
        )
        self.path = BreakableText(path)
        facts = coverage.map { SourceFacts($0, changes, isExcluded: isExcluded, links: runLinks) }
        functions = coverage.flatMap { FunctionList([$0], links: runLinks) }
        let counts = tests ?? [:]
        let areTold = text == nil || !counts.isEmpty || run.engine == .foreign
        remark = Self.remark(coverage, isUntold: !areTold, areTooMany: tests == nil, runLinks)
        jumps =
            ranges.isEmpty
            ? nil
            : Jumps(
                summary: Figures.counted(coverage?.lineTally.missed ?? 0, "line") + " missed:",
                ranges: ranges.prefix(Jumps.most).map { LineRange($0, of: path, links: runLinks) },
                more: ranges.count > Jumps.most
                    ? "and \(Figures.counted(ranges.count - Jumps.most, "more range"))" : nil
            )
        absence = text == nil ? Self.absence(of: source) : nil
        let isCut = text.map { $0.count > $0.lines.count } ?? false
        cut = isCut ? "Only the first \(Figures.grouped(SourceText.longest)) lines are shown." : nil
        listing = text.map {
            Listing(
                SourceLine.all(
                    $0, coverage: coverage, marks: SourceMarks(source), changes: changes,
                    hasCounts: source.hasExecutionCounts,
                    tests: LineTests(counts, of: path, runLinks)
                ), hasTests: !counts.isEmpty)
        }
    }
}

extension SourcePage {
    /// Why there is no text.
    private static func absence(of source: RecordedSource) -> String {
        let reason =
            source.isTooLarge
            ? "This file is too large to be shown: the limit is \(SourceText.largest >> 20) MiB."
            : "The text of this file was not kept for this run."
        return reason + (source.coverage == nil ? "" : " The lines above are those the run recorded.")
    }

    /// - Parameters:
    ///   - isUntold: Whether the page could tell who executes the lines, if that had been recorded, or could be counted.
    ///   - areTooMany: Whether it was recorded, and is too much.
    private static func remark(
        _ coverage: FileCoverage?, isUntold: Bool, areTooMany: Bool, _ links: RunLinks
    ) -> String? {
        guard let coverage else { return "Coverage of this file is not measured." }
        guard isUntold, coverage.lineTally.covered > 0, links.who(1, of: coverage.path) != nil else { return nil }
        if areTooMany { return "How many tests execute each line is not told: counting them would take too long." }
        return "Which tests execute it was not recorded: kanmon run --map records it for all of them."
    }
}

/// The missed lines as links.
struct Jumps: Sendable {
    /// How many ranges are listed at most.
    static let most = 1000

    let summary: String
    let ranges: [LineRange]
    /// How many more there are.
    let more: String?
}

/// The lines of the file.
struct Listing: Sendable {
    let lines: [SourceLine]
    let columns: String
    /// The heading of the numbers of tests; `nil` where they were not recorded.
    let testsHead: String?
    /// The strip at the side.
    let map: Minimap?

    init(_ lines: [SourceLine], hasTests: Bool) {
        self.lines = lines
        testsHead = hasTests ? "Tests" : nil
        columns = hasTests ? "Line, tests that execute it, executions, text" : "Line, executions, text"
        map = Minimap(lines)
    }
}

/// The coverage of a file.
struct SourceFacts: Sendable {
    /// The module, as a link to its coverage if it has a page.
    let module: Link?
    let plainModule: BreakableText?
    let percent: String
    let fraction: String
    /// That its lines do not count, where they do not.
    let exclusion: String?
    let regions: String
    let functions: String
    /// What was not executed, more exactly than by lines.
    let unexecuted: String?
    let change: String?

    init(_ file: FileCoverage, _ changes: LineChanges, isExcluded: Bool, links: RunLinks) {
        let tally = file.lineTally
        module = links.module(file.module).map { Link(file.module, $0) }
        plainModule = module == nil ? BreakableText(file.module) : nil
        percent = Figures.percent(tally)
        fraction = "\(Figures.tally(tally)) executable lines"
        exclusion = isExcluded ? CountedFiles.exclusion : nil
        regions = "\(Figures.percent(file.regions)), \(Figures.tally(file.regions))"
        functions = "\(Figures.percent(file.functions)), \(Figures.tally(file.functions))"
        unexecuted = file.unexecuted?.summary
        change = changes.summary
    }
}
