import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// A failure that was recorded stands, whatever came of its process, until a retry passes.
extension PassTests {
    /// The records of a process that ran all tests, of which `a` fails.
    var failing: [UInt8] {
        observer(
            "bundleStart", "start a", "fail a", "end a", "start b", "end b", "start c", "end c", "bundleEnd")
    }

    /// The events of a process in which one test passes.
    private func passing(_ name: String) -> [UInt8] {
        events([name], "runStarted", "testStarted \(name)", "testEnded \(name)", "runEnded")
    }

    private func pass(_ reason: TestPass.Reason, _ names: String...) -> TestPass {
        TestPass(reason: reason, tests: names.map { test("\($0)()", "") })
    }

    @Test func `a retry that skips itself makes no failure good`() throws {
        var recorded = crashed
        recorded.artifacts[2].bytes = failing
        let skipped = observer("bundleStart", "start a", "skipped a", "bundleEnd")
        recorded.passes = [(TestPass(reason: .retry, tests: [test("a")]), [(.observerRecords, skipped)])]
        let result = try recorded.read().test("CoreTests.T/a")
        #expect(result.attempts.map(\.outcome) == [.failed, .skipped])
        #expect(result.outcome == .failed)
        #expect(result.skipReason == nil)
        #expect(!result.isFlaky)
        #expect(
            result.firstFailure == Issue(message: "no", location: SourceLocation(path: "T.swift", line: 3)))
    }

    @Test func `a retry that is disabled by then makes no failure good either`() throws {
        var recorded = suspects
        recorded.artifacts[2].bytes = events(
            ["x"], "runStarted", "testStarted x", "issueRecorded x", "testEnded x", "runEnded")
        recorded.passes = [
            (pass(.retry, "x"), [(.eventStream, events(["x"], "runStarted", "testSkipped x", "runEnded"))])
        ]
        let result = try recorded.read().test("CoreTests.x()")
        #expect(result.attempts.map(\.outcome) == [.failed])
        #expect(result.outcome == .failed)
    }

    // MARK: Failed before another ended the process

    /// `x` has recorded a failure and is still running when the process crashes, and so is `y`.
    private var failedBefore: RecordedRun {
        var recorded = suspects
        recorded.artifacts[2].bytes = events(
            ["x", "y", "z"], "runStarted", "testStarted x", "issueRecorded x", "testStarted y")
        return recorded
    }

    /// The report of a crash in `y`.
    private var crashOfY: [UInt8] {
        let report = """
            *** Program crashed: Illegal instruction at 0x00007f36792f9361 ***

            Thread 1 "CoreTests" crashed:

             0 0x00007f36792f9361 y() + 128 in CoreTests.xctest at /home/ci/Sample/T.swift:6:26

            """
        return Array(report.utf8)
    }

    @Test func `a test that had failed when another crashed its process has failed`() throws {
        var recorded = failedBefore
        recorded.artifacts.append((.transcript, crashOfY))
        let run = try recorded.read()
        #expect(run.summary == ["CoreTests.x(): failed", "CoreTests.y(): crashed", "CoreTests.z(): not-run"])
        #expect(
            try run.test("CoreTests.x()").attempts == [
                TestAttempt(
                    outcome: .failed,
                    issues: [
                        Issue(message: "an issue without a message"),
                        Issue(message: "its process ended while it was running"),
                    ])
            ])
        let folder = try TemporaryFolder()
        let directory = try recorded.write(in: folder)
        #expect(
            try PassReport(of: 0, manifest: directory.manifest(), in: directory)
                == PassReport(
                    unfinished: [test("z()", "")], failed: [test("x()", "")], ended: [test("y()", "")], settled: 2))

        recorded.passes = [
            (pass(.recovery, "z"), [(.eventStream, passing("z"))]), (pass(.retry, "x"), [(.eventStream, passing("x"))]),
        ]
        let flaky = try recorded.read().test("CoreTests.x()")
        #expect(flaky.attempts.map(\.outcome) == [.failed, .passed])
        #expect(flaky.isFlaky)
    }

    @Test func `a suspect that had failed is run again for the crash, and stays failed`() throws {
        var recorded = failedBefore
        let alone = events(
            ["x", "y"], "runStarted", "testStarted x", "testEnded x", "testStarted y", "testEnded y", "runEnded")
        recorded.passes = [(pass(.recovery, "x", "y"), [(.eventStream, alone)])]
        let run = try recorded.read()
        #expect(run.summary == ["CoreTests.x(): failed", "CoreTests.y(): passed", "CoreTests.z(): not-run"])
        let result = try run.test("CoreTests.x()")
        #expect(result.attempts.map(\.outcome) == [.failed, .passed])
        #expect(result.firstFailure == Issue(message: "an issue without a message"))
        #expect(run.gaps.contains { $0.code == .crashUnexplained })

        recorded.passes.append((pass(.retry, "x"), [(.eventStream, passing("x"))]))
        let flaky = try recorded.read().test("CoreTests.x()")
        #expect(flaky.attempts.map(\.outcome) == [.failed, .passed, .passed])
        #expect(flaky.isFlaky)
    }

    @Test func `a test that had failed when its process was ended from outside has failed`() throws {
        var recorded = crashed
        recorded.artifacts[2].bytes = observer("bundleStart", "start a", "end a", "start b", "fail b")
        recorded.gaps = [Gap(.interrupted, detail: "SIGINT")]
        let result = try recorded.read().test("CoreTests.T/b")
        #expect(result.outcome == .failed)
        #expect(result.issues.map(\.message) == ["no", "its process was ended from outside while it was running"])
    }
}
