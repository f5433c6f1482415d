import Application
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
    init(_ judged: JudgedRun, store: RunStore?) {
        let (run, verdict) = (judged.run, judged.verdict)
        let own = RunSummary(run, verdict)
        // Errors of the history are ignored, because the report is about the run.
        let earlier =
            (try? store?.page(project: run.project, before: run.id, limit: Self.historyLimit - 1)) ?? []
        report = StaticReport(run: run, verdict: verdict, history: [own] + earlier)
        sources = judged.directory.map(KeptLines.init)
    }

    /// Passes on every file, under the given folder.
    func write(under folder: String = "", to put: (ReportFile) throws -> Void) throws {
        try report.write(
            with: try PageRenderer(), text: { path in sources?.bytes(of: path).map { SourceText($0) } },
            emit: { name, bytes in try put(ReportFile(folder + name, bytes)) })
    }
}
