public import Gate
import RunModel
import Wording

/// A file that a run left behind.
public struct EvidenceFile: Sendable, Hashable {
    /// The largest file that is sent, in bytes: 64 MiB.
    public static let largest = 64 << 20

    /// Relative to the run directory; untrusted text.
    public var path: String
    /// Its role in the manifest of the run: `transcript`.
    public var role: String
    /// Size in bytes.
    public var bytes: Int

    package init(path: String, role: String, bytes: Int) { (self.path, self.role, self.bytes) = (path, role, bytes) }

    /// Its content in words.
    var words: String {
        switch role {
        case "script-log": "output of the scripts"
        case "build-log": "output of the build"
        case "transcript": "output of the tests"
        case "observer-records": "records of the XCTest observer"
        case "event-stream": "events of Swift Testing"
        case "xunit": "results as xUnit XML"
        case "xctest-list": "the list of XCTest cases"
        case "swift-testing-list": "the list of Swift Testing tests"
        case "coverage-export": "coverage in llvm-cov's export format"
        case "function-names": "names of functions that were never called"
        case "cobertura": "coverage as Cobertura XML"
        case "lcov": "coverage as an LCOV tracefile"
        case "policy": "the policy of the run"
        case "baseline": "the base of the run"
        case "attachment": "a file that a test attached"
        case "shard-manifest": "the manifest of a shard"
        default: role
        }
    }

    /// Whether it is a log, which people read first.
    var isLog: Bool { role == "transcript" || role.hasSuffix("-log") }
}

extension SheetPage {
    /// The files that a run left behind, logs first; `nil` if the run directory is gone.
    public static func evidence(
        _ files: [EvidenceFile]?, of run: RunSummary, links: Links = .dashboard
    ) -> SheetPage {
        let runLinks = RunLinks(run.id, project: run.project, links)
        let ordered = (files ?? []).filter(\.isLog) + (files ?? []).filter { !$0.isLog }
        let table = CellTable(
            ["File", "Content", "#Size"],
            ordered.map { file in
                let isSent = file.bytes <= EvidenceFile.largest
                return [
                    .name(
                        file.path, isSent ? links.href(.evidence(run.id, file: file.path)) : nil,
                        detail: isSent ? nil : "too large to be sent"),
                    .words(file.words, "Content"), .figure(Figures.bytes(file.bytes), "Size"),
                ]
            })
        return SheetPage(
            frame: PageFrame(
                title: "Log and evidence of run \(run.id.short)",
                crumbs: [Link(run.project, links.project(run.project)), Link(runLinks.words, runLinks.page())],
                here: "evidence", links: links),
            heading: "Log and evidence",
            summary: "The files of \(run.runWords): its evidence and its policy.",
            sections: [
                SheetSection(
                    nil, table,
                    empty: files == nil
                        ? EmptyList(
                            "The run directory is gone.",
                            "Run directories are kept for a limited time; the verdict stays.")
                        : EmptyList("The run has no files.", "Its manifest names none."))
            ])
    }
}
