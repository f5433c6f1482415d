import Foundation
public import RunModel

/// A run of the made-up history that has not ended: it stands still in the middle of its tests.
public enum DemoLiveRun {
    private static let failed = "VideoInfoTests/test_異常系_thumbnailのURLがnil"

    /// The run, of a branch of the large package and with one test failed, as far as it is written into a folder.
    public static func run(in folder: String) -> LiveRun {
        var run = LiveRun(
            runID: id, project: project,
            revision: Revision(
                commit: "5c1f8e02d7b94a6c83e5f0a1b2c3d4e5f6a7b8c9", tree: "b7a4c9d2e1f003846a5b6c7d8e9f0a1b2c3d4e5f",
                branch: "feature/hdr", subject: "Read the HDR profile before the first frame",
                author: "Ana Souza", isDirty: false),
            startedAt: startedAt, folder: folder, isPartial: false)
        run.progress.step = .test
        (run.progress.built, run.progress.toBuild) = (64, 64)
        (run.progress.discovered, run.progress.ended, run.progress.failed) = (142, 87, 1)
        run.progress.failures = [failed]
        run.progress.running = "DecoderTests/testParallelDecoding"
        return run
    }

    /// Its project.
    public static let project = DemoHistory.videoKit.package.project
    /// Its identity.
    public static let id = RunID(
        milliseconds: UInt64(startedAt.timeIntervalSince1970 * 1000),
        random: (0x11_7E00_0000_0000, 0x0D_E300_0000_00AF))
    private static let startedAt = DemoHistory.now.addingTimeInterval(-17)

    /// What its tests have printed, in the colors of a terminal.
    public static let log: String = {
        let suites = ["VideoInfoTests", "SearchTests", "RetryTests", "ThumbnailTests", "DecoderTests"]
        let lines = (0..<86).map { number in
            let name =
                "\(suites[number * suites.count / 86])/test\(["Title", "Encoding", "Retry", "Width", "Frames"][number % 5])\(number)"
            return
                "\u{1B}[32m✔\u{1B}[0m \(name) passed \u{1B}[90m(0.0\(10 + Noise.number("live", number, below: 80)) s)\u{1B}[0m"
        }
        let failure = [
            "\u{1B}[1;31m✘ \(failed) failed\u{1B}[0m",
            "  \u{1B}[36mTests/VideoKitTests/VideoInfoTests.swift:35\u{1B}[0m: XCTAssertNil failed: \"https://example.com/0.jpg\"",
        ]
        return (lines.prefix(60) + failure + lines.dropFirst(60)).joined(separator: "\n") + "\n"
            + "\u{1B}[33m▸\u{1B}[0m DecoderTests/testParallelDecoding started\n"
    }()
}
