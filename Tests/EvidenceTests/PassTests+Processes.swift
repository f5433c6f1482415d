import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// Passes of several processes: each answers for its own tests, and one that was not started is missed.
extension PassTests {
    /// A process that the engine `direct` started.
    private func process(_ arguments: [String], _ termination: Termination) -> RunStep {
        RunStep(
            kind: .test, arguments: ["/b/CorePackageTests.xctest"] + arguments, duration: .seconds(1),
            termination: termination)
    }

    private func swiftTesting(_ termination: Termination) -> RunStep {
        process(["--testing-library", "swift-testing"], termination)
    }

    // MARK: A process that was not started

    /// A time limit ended the process of XCTest, after which that of Swift Testing was to come.
    private var overdue: RecordedRun {
        var recorded = crashed
        recorded.engine = .direct
        recorded.arguments = ["/b/CorePackageTests.xctest"]
        recorded.termination = .signaled(9)
        recorded.isTimedOut = true
        recorded.artifacts[1].bytes = events(["x", "y"], "runStarted", "runEnded")
        recorded.diagnosis = Diagnosis(
            cause: .test, limit: .seconds(120),
            running: [.init(name: "CoreTests.T/b", duration: .seconds(121), isOverdue: true)], processes: []
        )
        return recorded
    }

    private func report(_ recorded: RecordedRun) throws -> PassReport {
        let folder = try TemporaryFolder()
        let directory = try recorded.write(in: folder)
        return try PassReport(of: 0, manifest: directory.manifest(), in: directory)
    }

    @Test func `tests of the process that a time limit left no chance are missed`() throws {
        let run = try overdue.read()
        #expect(
            run.summary == [
                "CoreTests.x(): not-run", "CoreTests.y(): not-run", "CoreTests.T/a: passed",
                "CoreTests.T/b: timed-out", "CoreTests.T/c: not-run",
            ])
        #expect(run.gaps.map(\.code) == [.testsNotRun, .testsNotRun])
        #expect(
            try report(overdue)
                == PassReport(
                    unfinished: [test("x()", ""), test("y()", ""), test("c")], ended: [test("b")], settled: 2))
    }

    @Test func `of a pass of some tests those are missed that it was to run`() throws {
        var recorded = overdue
        recorded.firstTests = [test("a"), test("b"), test("x()", "")]
        #expect(try report(recorded) == PassReport(unfinished: [test("x()", "")], ended: [test("b")], settled: 2))
        recorded.firstTests = [test("a"), test("b")]
        #expect(try report(recorded) == PassReport(ended: [test("b")], settled: 2))
    }

    @Test func `what another pass made of them is whole`() throws {
        var recorded = overdue
        recorded.later = [process(["CoreTests.T/c"], .exited(0)), swiftTesting(.exited(0))]
        let rest = events(
            ["x", "y"], "runStarted", "testStarted x", "testEnded x", "testStarted y", "testEnded y", "runEnded")
        recorded.passes = [
            (
                TestPass(reason: .recovery, tests: [test("x()", ""), test("y()", ""), test("c")]),
                [
                    (.observerRecords, observer("bundleStart", "start c", "end c", "bundleEnd")),
                    (.eventStream, rest),
                ]
            )
        ]
        let run = try recorded.read()
        #expect(
            run.summary == [
                "CoreTests.x(): passed", "CoreTests.y(): passed", "CoreTests.T/a: passed",
                "CoreTests.T/b: timed-out", "CoreTests.T/c: passed",
            ])
        #expect(run.gaps == [])
        #expect(
            run.notes == [
                Note(.testsRecovered, detail: "3 tests left by a process that ended early, run in 1 more pass")
            ])
    }

    // MARK: The end of a process

    /// A test of XCTest fails and passes in a retry; that of Swift Testing passes.
    private var retried: RecordedRun {
        var recorded = crashed
        recorded.artifacts[1].bytes = events(["x"], "runStarted", "runEnded")
        recorded.artifacts[2].bytes = failing
        recorded.artifacts.append(
            (.eventStream, events(["x"], "runStarted", "testStarted x", "testEnded x", "runEnded")))
        let good = observer("bundleStart", "start a", "end a", "bundleEnd")
        recorded.passes = [(TestPass(reason: .retry, tests: [test("a")]), [(.observerRecords, good)])]
        return recorded
    }

    @Test func `a failure explains the end of its own process only`() throws {
        var recorded = retried
        recorded.engine = .direct
        recorded.arguments = ["/b/CorePackageTests.xctest"]
        recorded.second = swiftTesting(.exited(0))
        recorded.later = [process(["CoreTests.T/a"], .exited(0))]
        #expect(try recorded.read().gaps == [])
        recorded.second = swiftTesting(.signaled(6))
        #expect(
            try recorded.read().gaps == [
                Gap(
                    .exitContradictsResults,
                    detail: "the Swift Testing tests were ended by signal 6, though none of them failed")
            ])
    }

    @Test(
        arguments: [
            (.signaled(6), "were ended by signal 6"), (.exited(7), "exited with 7"), (.exited(69), "exited with 69"),
        ] as [(Termination, String)])
    func `a failure explains that its process exits with 1, and no other end`(end: Termination, words: String) throws {
        var recorded = retried
        recorded.engine = .direct
        recorded.arguments = ["/b/CorePackageTests.xctest"]
        recorded.termination = end
        recorded.second = swiftTesting(.exited(0))
        recorded.later = [process(["CoreTests.T/a"], .exited(0))]
        #expect(
            try recorded.read().gaps == [
                Gap(
                    .exitContradictsResults, detail: "the XCTest tests \(words), though none of them was running")
            ])
        // Where no test failed, it explains nothing either.
        recorded.later = []
        recorded.passes = []
        recorded.artifacts[2].bytes = observer(
            "bundleStart", "start a", "end a", "start b", "end b", "start c", "end c", "bundleEnd")
        #expect(
            try recorded.read().gaps == [
                Gap(.exitContradictsResults, detail: "the XCTest tests \(words), though none of them failed")
            ])
    }

    @Test(arguments: [
        (["P.xctest"], TestingLibrary.xctest), (["A-test-runner", "A.T"], .xctest),
        (["A-test-runner", "--testing-library", "swift-testing"], .swiftTesting), (["/swift/bin/swift", "test"], nil),
    ])
    func `a step tells by its words which library it ran`(words: [String], library: TestingLibrary?) {
        let step = RunStep(
            kind: .test, arguments: words, duration: .zero, termination: .exited(0), wasTimedOut: false)
        #expect(step.library == library)
    }

    @Test func `what a sanitizer reported explains that a process without a failure exits with 66, and nothing else`()
        throws
    {
        var recorded = retried
        recorded.engine = .direct
        recorded.arguments = ["/b/CorePackageTests.xctest"]
        recorded.passes = []
        recorded.termination = .exited(66)
        recorded.second = swiftTesting(.exited(66))
        recorded.artifacts[2].bytes = observer(
            "bundleStart", "start a", "end a", "start b", "end b", "start c", "end c", "bundleEnd")
        #expect(try recorded.read().gaps.map(\.code) == [.exitContradictsResults, .exitContradictsResults])
        recorded.notes = [Note(.sanitizerReport, detail: "ThreadSanitizer: data race")]
        #expect(try recorded.read().gaps == [])
        recorded.termination = .exited(1)
        #expect(try recorded.read().gaps.map(\.code) == [.exitContradictsResults])
    }

    @Test func `a failure of one library does not explain the signal that ended the other`() throws {
        var recorded = retried
        recorded.later = [
            RunStep(kind: .test, arguments: recorded.arguments, duration: .seconds(1), termination: .exited(0))
        ]
        #expect(try recorded.read().gaps == [])
        let words = "error: Process '/b/CorePackageTests.xctest' exited with unexpected signal code 6\n"
        recorded.artifacts.append((.transcript, Array(words.utf8)))
        #expect(
            try recorded.read().gaps == [
                Gap(
                    .exitContradictsResults,
                    detail: "signal 6 ended a process of the tests, though none of them was running")
            ])
        // The words alone may be a test's own.
        recorded.passes = []
        recorded.termination = .exited(0)
        recorded.artifacts[2].bytes = observer(
            "bundleStart", "start a", "end a", "start b", "end b", "start c", "end c", "bundleEnd")
        #expect(try recorded.read().gaps == [])
    }
}
