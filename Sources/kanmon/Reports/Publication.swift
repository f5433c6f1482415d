import Application
import Evidence
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// Every report of a run in one folder, for a pipeline to publish.
struct Publication: Sendable {
    private let folder: ReportFolder

    /// Chooses the folder; one that exists is wiped.
    init(folder path: String) throws { folder = try ReportFolder(path) }

    /// Writes every report of a run that was judged at the checkpoint, and whose run directory is there.
    func publish(_ judged: JudgedRun, at checkpoint: Checkpoint) throws {
        let (run, verdict) = (judged.run, judged.verdict)
        let directory = RunDirectory(path: judged.runDirectory ?? "")
        let place = PackagePlace(root: try directory.manifest().packageRoot)
        let attachments = JUnitAttachments(of: run, in: directory)
        var files = JUnitReport.files(run, verdict) { file in attachments.name(of: file).map(folder.path) }
            .map { ReportFile("junit/" + $0.name, $0.bytes) }
        let coverage = [
            ("cobertura.xml", CoberturaReport.render(run, verdict, packageRoot: place.root, pathPrefix: place.prefix)),
            ("lcov.info", LCOVReport.render(run, verdict, packageRoot: place.root)),
            ("sonar-coverage.xml", SonarReport.coverage(run, verdict, pathPrefix: place.prefix)),
        ]
        files += coverage.compactMap { name, text in text.map { ReportFile(name, $0) } }
        files += [
            ReportFile("sonar-tests.xml", SonarReport.tests(run, verdict, pathPrefix: place.prefix).text),
            ReportFile("code-quality.json", try GitLabCodeQuality.render(run, verdict, pathPrefix: place.prefix)),
            ReportFile("report.md", MarkdownReport.render(run, verdict)),
            ReportFile("report.json", try JSONReport.render(run, verdict)),
        ]
        let pages = ReportPages(
            judged,
            // A store failure was reported before; the report then has no history.
            store: try? RunStore(readOnly: checkpoint.home.database))
        try folder.fill(of: run.id, copying: [(directory.path, "run")]) { put in
            for file in files { try put(file) }
            try attachments.copy(to: put)
            try pages.write(under: "html/", to: put)
        }
    }
}
