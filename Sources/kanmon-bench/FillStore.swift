import ArgumentParser
import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon-bench fill-store`.
struct FillStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill-store",
        abstract: "Fill a home with a long history that was made up, each run stored as any other.",
        discussion: "The last run began an hour ago. Sources are kept of the last two runs only."
    )
    @Argument(help: "The folder; it may have other projects.") var folder: String
    @Option var project = LongHistory.project
    @Option var runs = 2_000
    @Option var tests = 5_000
    @Option var files = 300

    func run() throws {
        // What is kept is found again by its whole path.
        let folder = URL(fileURLWithPath: folder).path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try RunStore(path: "\(folder)/kanmon.sqlite")
        var history = LongHistory(
            of: project, runs: runs, tests: tests, files: files, until: Date(timeIntervalSinceNow: -3600))
        while let run = history.next() {
            let verdict = try Verdict(judging: run, by: LongHistory.policy)
            let isRecent = history.remaining < 2
            let directory = isRecent ? try keep(run, in: folder).path : nil
            _ = try store.ingest(run, verdict: verdict, runDirectory: directory)
        }
        print("\(runs) runs of \(tests) tests and \(files) files")
    }

    private func keep(_ run: TestRun, in folder: String) throws -> RunDirectory {
        let writer = try RunDirectory.Writer(creating: "\(folder)/runs/\(StableHash(project).hexadecimal)/\(run.id)")
        let sources = try (run.coverage?.files ?? []).map { file in
            let text = (0...(file.lines.last?.line ?? 0)).map { "    let value\($0) = compute(\($0))\n" }.joined()
            return try writer.keepSource(Array(text.utf8), as: file.path)
        }
        var contents = RunManifest.Contents(
            kanmonVersion: "", packageRoot: "/bench/\(run.package)", arguments: ["bench"])
        contents.sources = sources
        return try writer.finish(RunManifest(run.head, run.facts, contents))
    }
}
