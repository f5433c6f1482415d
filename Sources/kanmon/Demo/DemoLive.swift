import Application
import Demo
import Evidence
import Foundation
import RunModel

/// The demo's run in progress, which lasts as long as the server: its folder, and its progress file.
final class DemoLive: Sendable {
    /// The folder of its progress file.
    let progressFiles: ProgressFiles
    private let writer: RunDirectory.Writer
    private let progressFile: ProgressFile

    /// Begins the run in a home.
    init(home: Home) throws {
        progressFiles = ProgressFiles(path: home.progressFiles) { DemoHistory.now }
        writer = try RunDirectory.Writer(
            creating: home.runDirectory(project: DemoLiveRun.project, id: DemoLiveRun.id))
        _ = try writer.write(Array(DemoLiveRun.log.utf8), as: .transcript, to: "transcript.log")
        var run = DemoLiveRun.run(in: writer.path)
        run.expected = ExpectedTime(of: run.project, on: DemoHistory.machine, in: home.database)
        progressFile = try ProgressFile(run, in: progressFiles)
    }

    /// Ends the run and removes its files.
    func end() {
        progressFile.end()
        progressFiles.remove(DemoLiveRun.id)
        try? writer.discard()
    }
}
