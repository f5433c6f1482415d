import Demo
import Evidence
import Foundation
import RunModel

/// The demo's run in progress, which lasts as long as the server: its folder, and its progress file.
final class DemoLive: Sendable {
    /// The folder of its progress file.
    let signs: LiveSigns
    private let writer: RunDirectory.Writer
    private let sign: LiveSign
    private let demo = DemoLiveRun.videoKit

    /// Begins the run in a home.
    init(home: Home) throws {
        signs = LiveSigns(path: home.signs) { DemoHistory.now }
        writer = try RunDirectory.Writer(creating: home.runDirectory(project: demo.project, id: demo.id))
        _ = try writer.write(Array(demo.log.utf8), as: .transcript, to: "transcript.log")
        var run = LiveRun(
            runID: demo.id, project: demo.project, revision: demo.revision, startedAt: demo.startedAt,
            folder: writer.path, isPartial: false)
        run.expected = ExpectedTime(of: demo.project, on: DemoHistory.machine, in: home.database)
        sign = try LiveSign(run, in: signs)
        sign.update { [demo] progress in
            progress.step = .test
            (progress.built, progress.toBuild) = (64, 64)
            (progress.discovered, progress.ended, progress.failed) = demo.tests
            progress.failures = demo.failures
            progress.running = demo.running
        }
        sign.write()
    }

    /// Ends the run and removes its files.
    func end() {
        sign.end()
        signs.remove(demo.id)
        try? writer.discard()
    }
}
