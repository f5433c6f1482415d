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
}
