public import Foundation
public import RunModel

/// A run of the made-up history that has not ended: it stands still in the middle of its tests.
public struct DemoLiveRun: Sendable {
    /// The identity of the run.
    public let id: RunID
    /// The project.
    public let project: String
    /// What is tested.
    public let revision: Revision
    /// When it began.
    public let startedAt: Date
    /// What its tests have printed, in the colors of a terminal.
    public let log: String
    /// How many tests were found, have ended, have failed.
    public let tests: (discovered: Int, ended: Int, failed: Int)
    /// The names of those that failed.
    public let failures: [String]
    /// The name of a test that is running.
    public let running: String

    /// The run that is always under way: of a branch of the large package, with one test failed.
    public static let videoKit: DemoLiveRun = {
        let startedAt = DemoHistory.now.addingTimeInterval(-17)
        let failed = "VideoInfoTests/test_異常系_thumbnailのURLがnil"
        return DemoLiveRun(
            id: RunID(
                milliseconds: UInt64(startedAt.timeIntervalSince1970 * 1000),
                random: (0x11_7E00_0000_0000, 0x0D_E300_0000_00AF)),
            project: DemoHistory.videoKit.package.project,
            revision: Revision(
                commit: "5c1f8e02d7b94a6c83e5f0a1b2c3d4e5f6a7b8c9", tree: "b7a4c9d2e1f003846a5b6c7d8e9f0a1b2c3d4e5f",
                branch: "feature/hdr", subject: "Read the HDR profile before the first frame",
                author: "Ana Souza", isDirty: false),
            startedAt: startedAt, log: log(failed), tests: (142, 87, 1), failures: [failed],
            running: "DecoderTests/testParallelDecoding")
    }()

    private static func log(_ failed: String) -> String {
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
    }
}
