import Dashboard
import Gate
import Pages
import RunModel
import Storage

/// The pages of one run that need no server.
struct ReportPages {
    /// How many runs the history of a report has.
    private static let historyLimit = 50

    private let report: StaticReport
    private let sources: KeptLines?

    /// The pages of a stored run, with the runs before it as its history.
    init(_ found: FoundRun, store: RunStore?) throws {
        self.init(
            found.run, found.verdict, sources: found.directory.map(KeptLines.init), store: store,
            hasExecutionCounts: found.hasExecutionCounts)
    }

    /// The pages of a run, with its history from the store if there is one.
    init(
        _ run: TestRun, _ verdict: Verdict, sources: KeptLines?, store: RunStore?, hasExecutionCounts: Bool = true
    ) {
        let own = RunSummary(run, verdict)
        // Errors of the history are ignored, because the report is about the run.
        let earlier =
            (try? store?.page(project: run.project, before: run.id, limit: Self.historyLimit - 1)) ?? []
        report = StaticReport(
            run: run, verdict: verdict, history: [own] + earlier,
            hasExecutionCounts: hasExecutionCounts)
        self.sources = sources
    }

    /// Passes on every file, under the given folder.
    func write(under folder: String = "", to put: (ReportFile) throws -> Void) throws {
        try report.write(
            with: try PageRenderer(), text: { path in sources?.bytes(of: path).map { SourceText($0) } },
            emit: { name, bytes in try put(ReportFile(folder + name, bytes)) })
    }
}
