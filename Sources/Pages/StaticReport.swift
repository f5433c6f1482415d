public import Gate
public import RunModel
import Web

/// A run as a folder of pages that need no server: pages of the dashboard that link to each other as files.
///
/// They work under the Content-Security-Policy of Jenkins for archived files: one style sheet and one icon of their
/// own, no script, no inline style, no form, and no link out of the folder.
public struct StaticReport: Sendable {
    private let run: TestRun
    private let verdict: Verdict
    private let history: [RunSummary]
    private let names: StaticNames

    /// Plans the pages.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - verdict: Its verdict.
    ///   - history: The run itself and earlier runs of the same project, newest first.
    public init(run: TestRun, verdict: Verdict, history: [RunSummary]) {
        self.run = run
        self.verdict = verdict
        self.history = history
        names = StaticNames(run)
    }

    /// Renders all files and passes them on one by one, each with its name relative to the folder.
    ///
    /// - Parameters:
    ///   - renderer: The templates.
    ///   - text: The text of a source file of the run, if it was kept.
    ///   - emit: Takes a file.
    public func write(
        with renderer: PageRenderer,
        text: (_ path: String) throws -> SourceText?,
        emit: (_ name: String, _ bytes: [UInt8]) throws -> Void
    ) throws {
        func put(_ name: String, _ page: some Page) throws { try emit(name, renderer.bytes(of: page)) }
        var excerpts = SourceTexts()
        for path in RunPage.pathsToExcerpt(of: run) { excerpts[path] = try text(path) }
        let top = names.links(from: "")
        try put(
            StaticNames.index, RunPage(run: run, verdict: verdict, sources: excerpts, now: nil, links: top))
        try put(
            StaticNames.history,
            RunsPage(
                entries: history, projects: [ProjectSummary(name: run.project, runs: history.count)],
                project: run.project, before: nil, hasOlder: false, now: nil, links: top))
        let inner = names.links(from: "../")
        let summary = RunSummary(run, verdict)
        for (target, name) in names.tests {
            guard let page = TestsPage(target: target, run: summary, tests: run.tests, links: inner) else { continue }
            try put(name, page)
        }
        let counted = CountedFiles(run.coverage, verdict)
        let (failures, errors) = (run.failures, BuildErrors.all(run))
        for (path, name) in names.sources {
            let coverage = run.coverage?.files.first { Name($0.path) == Name(path) }
            let source = RecordedSource(
                path: path, run: run.head, coverage: coverage,
                hasExecutionCounts: run.coverage?.hasExecutionCounts ?? true, failures: failures,
                buildErrors: errors, text: try text(path))
            try put(
                name,
                SourcePage(
                    source, change: verdict.change, isExcluded: coverage.map { !counted.contains($0) } ?? false,
                    links: inner))
        }
        try emit(StaticNames.stylesheet, WebFile.stylesheet.embedded)
        try emit(StaticNames.icon, WebFile.icon.embedded)
    }
}
