import RunModel
import TestSupport
import Testing

@testable import kanmon

/// What is said of tests that a run did not record.
@Suite struct WhoReportTests {
    private let map = TestMap(tests: [SampleRuns.passing().tests[0].id], sets: [], files: [])
    private let file = TestMap.File(path: "Sources/Core/Core.swift", functions: [])

    @Test func `a file that only other tests execute is not said to be unexecuted`() {
        var report = WhoReport(run: SampleRuns.id(1), answer: .file(file, map), isFileExecuted: true, unrecorded: 2)
        let run = SampleRuns.id(1).short
        #expect(
            report.text(limit: 50).hasPrefix(
                "Sources/Core/Core.swift was executed in run \(run), but by no test that was recorded\n2 more tests ran"
            ))
        report.isFileExecuted = false
        #expect(
            report.text(limit: 50).hasPrefix(
                "Sources/Core/Core.swift: 0 functions executed by recorded tests of run \(run)\n2 more tests ran"))
        report.unrecorded = 0
        #expect(report.text(limit: 50) == "Sources/Core/Core.swift: 0 functions executed in run \(run)")
    }

    /// What is said of a line of a file of which nothing is executed.
    private func text(line: Int32, there: Int32? = nil, executable: [Int32]) -> String {
        let measured = FileCoverage(
            path: file.path, module: "Core", lines: executable.map { LineCount(line: $0, count: ExecutionCount(0)) },
            regions: CoverageTally(), functions: CoverageTally())
        return WhoReport(
            run: SampleRuns.id(1),
            answer: .line(path: file.path, line: line, there: there ?? line, isExecuted: false, map: map),
            measured: measured
        ).text(limit: 50)
    }

    @Test func `for a comment, the line with code that is nearest is answered for`() {
        let run = SampleRuns.id(1).short
        let missed = "is in no function that run \(run) executed"
        let (path, comment) = (file.path, "is not executable, such as a comment or a blank line")
        #expect(text(line: 4, executable: [4]) == "\(path):4 \(missed)")
        #expect(
            text(line: 2, executable: [4]) == "\(path):2 \(comment); the nearest line that is:\n\(path):4 \(missed)")
        #expect(
            text(line: 3, there: 2, executable: [4])
                == "\(path):3 (line 2 then) \(comment); the nearest line that was then:\n\(path):4 \(missed)")
        #expect(text(line: 2, executable: []) == "\(path):2 \(comment), and no other line of the file is")
    }
}
