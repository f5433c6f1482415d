import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Exports

@Suite struct UnstableLinesTests {
    private static func verdict(_ unstable: [UnstableFile]) throws -> Verdict {
        var verdict = try Verdict(judging: SampleRuns.passing(), by: Policy())
        verdict.unstable = unstable
        return verdict
    }

    @Test func `unstable lines are named in every report, and nothing is said without any`() throws {
        let run = SampleRuns.passing()
        let files = [
            UnstableFile(path: "Sources/A.swift", lines: [10...10, 12...13]),
            UnstableFile(path: "Sources/*\u{1B}.swift", lines: [1...1]),
        ]
        let verdict = try Self.verdict(files)
        let text = TextReport.render(run, verdict)
        #expect(text.contains("  unstable: 4 lines (Sources/A.swift:10, :12–13, Sources/*"), "\(text)")
        #expect(!text.contains("\u{1B}"))
        let markdown = MarkdownReport.render(run, verdict)
        #expect(
            markdown.contains(#"4 lines \(Sources/A\.swift\:10, \:12–13, Sources/\*␛"#), "\(markdown)")
        let report = JSONReport(run, verdict)
        #expect(report.unstable?.map(\.path) == files.map(\.path))
        #expect(report.unstable?.map(\.lines) == [[[10, 10], [12, 13]], [[1, 1]]])

        let none = try Self.verdict([])
        #expect(!TextReport.render(run, none).contains("unstable"))
        #expect(!MarkdownReport.render(run, none).contains("nstable"))
        #expect(try !JSONReport.render(run, none).contains("unstable"))
    }
}
