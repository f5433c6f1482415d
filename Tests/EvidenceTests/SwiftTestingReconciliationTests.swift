import Evidence
import RunModel
import Testing

@Suite struct SwiftTestingReconciliationTests {
    static func recorded(_ name: String, _ termination: Termination, xunit: String? = nil) throws -> RecordedRun {
        let events = try Fixture.recorded("\(name)/events.jsonl")
        var run = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(events)),
                (.eventStream, events),
            ], termination: termination
        )
        if let xunit { run.artifacts.append((.xunit, try Fixture.recorded("\(xunit)/xunit.xml"))) }
        return run
    }

    private static let failing = [
        "UtilTests.DisabledSuite/a(): skipped", "UtilTests.DisabledSuite/b(): skipped",
        "UtilTests.ExitTestSuite/exitTestBad(): failed", "UtilTests.ExitTestSuite/exitTestGood(): passed",
        "UtilTests.FailSuite/`raw fail <a & \"b\">`(): failed", "UtilTests.FailSuite/asyncFail(): failed",
        "UtilTests.FailSuite/cancelled(): skipped", "UtilTests.FailSuite/cancelledCase(n:): passed",
        "UtilTests.FailSuite/confirmationFails(): failed", "UtilTests.FailSuite/detachedIssue(): passed",
        "UtilTests.FailSuite/known(): known-issue", "UtilTests.FailSuite/knownIntermittent(): passed",
        "UtilTests.FailSuite/knownNotHappening(): failed", "UtilTests.FailSuite/namedFail(): failed",
        "UtilTests.FailSuite/one(): failed", "UtilTests.FailSuite/overloaded(): passed",
        "UtilTests.FailSuite/overloaded(n:): failed", "UtilTests.FailSuite/paramSomeFail(n:): failed",
        "UtilTests.FailSuite/passInFail(): passed", "UtilTests.FailSuite/printsStuff(): passed",
        "UtilTests.FailSuite/requireFails(): failed", "UtilTests.FailSuite/several(): failed",
        "UtilTests.FailSuite/skipped(): skipped", "UtilTests.FailSuite/throwsErr(): failed",
        "UtilTests.FailSuite/warningIssue(): passed", "UtilTests.InitThrows/x(): failed",
    ]

    @Test func `all outcomes of tests are distinguished`() throws {
        let run = try Self.recorded("fail-swifttesting-clean", .exited(1), xunit: "fail-swifttesting-clean").read()
        #expect(run.summary == Self.failing)
        #expect(
            run.gaps == [
                Gap(
                    .issueWithoutTest,
                    detail: "Issue recorded\ndetached からの失敗 at Tests/UtilTests/FailSwiftTests.swift:27"
                )
            ]
        )
        #expect(
            run.notes == [
                Note(.reportRepaired, subject: "3-xunit", detail: "1 name was not escaped"),
                Note(.reportRepaired, subject: "3-xunit", detail: "4 characters that XML forbids were replaced"),
                Note(
                    .argumentsCancelled, subject: "UtilTests.FailSuite/cancelledCase(n:)",
                    detail: "cancelled for an argument"),
            ]
        )
    }

    @Test(arguments: ["fail-swifttesting-v0", "fail-swifttesting-v63-expfields"])
    func `both versions of the stream say the same and name the argument that failed`(name: String) throws {
        let run = try Self.recorded(name, .exited(1)).read()
        let more = ["UtilTests.FailSuite/control(): failed", "UtilTests.FailSuite/long(): failed"]
        #expect(run.summary == (Self.failing + more).sorted())
        let test = try run.test("UtilTests.FailSuite/paramSomeFail(n:)")
        #expect(test.arguments == ["1", "2", "3", "4"])
        #expect(test.issues.map(\.argument) == ["1", "3"])
        #expect(
            test.firstFailure
                == Issue(
                    message: "Expectation failed: (n % 2 → 1) == 0\n奇数 1",
                    location: SourceLocation(path: "Tests/UtilTests/FailSwiftTests.swift", line: 15, column: 63),
                    argument: "1"
                )
        )
        #expect(try run.test("UtilTests.FailSuite/skipped()").skipReason == "suite中のskip")
        #expect(try run.test("UtilTests.FailSuite/cancelled()").skipReason == "途中で中止 <c>")
        #expect(try run.test("UtilTests.FailSuite/namedFail()").displayName == "表示名 <t> & \"q\"")
        let known = try run.test("UtilTests.FailSuite/known()")
        #expect(known.issues.map(\.isKnown) == [true])
    }

    @Test func `issues are in the order of the arguments, not of the cases' ends`() throws {
        let name = "fail-swifttesting-v63-expfields"
        var recorded = try Self.recorded(name, .exited(1))
        let expected = try recorded.read().test("UtilTests.FailSuite/paramSomeFail(n:)").issues
        var lines = try Fixture.recorded("\(name)/events.jsonl").split(separator: 0x0A)
        let places = lines.indices.filter { place in
            let line = String(decoding: lines[place], as: UTF8.self)
            return line.contains("issueRecorded") && line.contains("paramSomeFail")
        }
        try #require(places.count == 2)
        lines.swapAt(places[0], places[1])
        recorded.artifacts[2].bytes = Array(lines.joined(separator: [0x0A])) + [0x0A]
        #expect(expected.map(\.argument) == ["1", "3"])
        #expect(try recorded.read().test("UtilTests.FailSuite/paramSomeFail(n:)").issues == expected)
    }

    @Test func `a warning fails nothing`() throws {
        let test = try Self.recorded("fail-swifttesting-clean", .exited(1)).read().test(
            "UtilTests.FailSuite/warningIssue()"
        )
        #expect(test.outcome == .passed)
        #expect(
            test.issues == [
                Issue(
                    message: "Issue recorded\nただの警告",
                    location: SourceLocation(path: "Tests/UtilTests/FailSwiftTests.swift", line: 23, column: 43),
                    isWarning: true
                )
            ]
        )
    }

    @Test func `nested suites, free functions and arguments in words are read`() throws {
        let run = try Self.recorded("direct-st-good", .exited(0), xunit: "direct-st-good").read()
        #expect(run.gaps == [])
        #expect(run.notes == [Note(.reportRepaired, subject: "3-xunit", detail: "1 name was not escaped")])
        #expect(try run.test("UtilTests.GoodSuite/Nested/Deep/deepest()").outcome == .passed)
        #expect(try run.test("UtilTests.GoodSuite/param(n:)").arguments == ["n → 1", "n → 2", "n → 3"])
        #expect(
            try run.test("UtilTests.GoodSuite/paramZip(s:d:)").arguments == [
                "s → \"x\", d → 1.5", "s → \"y<&\">\", d → 2.5",
            ]
        )
        #expect(try run.test("UtilTests.GoodSuite/disabledTest()").skipReason == "無効化 <理由> & \"q\"")
        #expect(try run.test("UtilTests.GoodSuite/disabledNoReason()").skipReason == nil)
        #expect(
            try run.test("UtilTests.GoodSuite/`raw identifier <a & \"b\"> 生`()").displayName
                == "raw identifier <a & \"b\"> 生"
        )
    }

    @Test func `a crash is the test's whose function is on the stack`() throws {
        var recorded = try Self.recorded("crash-st-CrashSuite", .exited(1), xunit: "crash-st-CrashSuite")
        recorded.artifacts.append((.transcript, try Fixture.recorded("crash-st-CrashSuite/stdout.txt")))
        let run = try recorded.read()
        #expect(
            run.summary == [
                "UtilTests.CrashSuite/a_before(): passed", "UtilTests.CrashSuite/b_fail(): failed",
                "UtilTests.CrashSuite/c_fatal(): crashed", "UtilTests.CrashSuite/d_after(): not-run",
            ]
        )
        #expect(
            run.tests[2].issues == [
                Issue(
                    message: "Fatal error: 致命的 swift testing\n"
                        + "  in CrashSuite.c_fatal() at Tests/UtilTests/CrashSwiftTests.swift:6",
                    location: SourceLocation(path: "Tests/UtilTests/CrashSwiftTests.swift", line: 6, column: 26)
                )
            ]
        )
        #expect(run.gaps.map(\.code) == [.testsNotRun])
        #expect(run.notes.map(\.code) == [.reportTruncated])
    }

    @Test func `an exit with 0 after a failure is never green`() throws {
        let run = try Self.recorded("crash-st-CrashExit0Suite", .exited(0), xunit: "crash-st-CrashExit0Suite").read()
        #expect(
            run.summary == [
                "UtilTests.CrashExit0Suite/a_before(): passed", "UtilTests.CrashExit0Suite/b_fail(): failed",
                "UtilTests.CrashExit0Suite/c_exit0(): crashed", "UtilTests.CrashExit0Suite/d_after(): not-run",
            ]
        )
        #expect(run.gaps.map(\.code) == [.testsNotRun])
    }

    @Test func `a run whose report has no end has not ended`() throws {
        // Whoever writes records of an end into the stream and calls exit(0) leaves the report as it was at the start.
        let run = try Self.recorded("direct-st-good", .exited(0), xunit: "crash-st-CrashExit0Suite").read()
        #expect(
            run.gaps.filter { $0.code != .coverageMissing } == [
                Gap(
                    .exitWithoutResults, subject: "3-xunit",
                    detail: "the events say that the run has ended, but its report was never written: "
                        + "line 3: 1 of its elements not closed")
            ])
    }

    @Test func `a test that hangs is timed out, and says so`() throws {
        var recorded = try Self.recorded("hang-st-TERM-pid", .signaled(15), xunit: "hang-st-TERM-pid")
        recorded.isTimedOut = true
        let run = try recorded.read()
        #expect(run.tests.map(\.outcome).contains(.timedOut))
        let issue = run.tests.first { $0.outcome == .timedOut }?.issues.last
        #expect(issue == Issue(message: "a time limit ended it while it was running"))
    }

    @Test func `a time limit of Swift Testing's own is a failure`() throws {
        let run = try Self.recorded("time-limit-exceeded", .exited(1)).read()
        #expect(run.summary == ["UtilTests.TimeSuite/timeLimitExceeded(): failed"])
        #expect(run.tests[0].duration == .nanoseconds(60_004_438_841))
        #expect(run.gaps == [])
    }

    @Test func `without a stream complete xUnit is the source`() throws {
        var recorded = try Self.recorded("direct-st-good", .exited(0), xunit: "direct-st-good")
        let best = try recorded.read()
        recorded.artifacts.remove(at: 2)
        let run = try recorded.read()
        #expect(run.summary == best.summary)
        #expect(run.gaps == [])
        #expect(run.notes.map(\.code) == [.reportMissing, .reportRepaired])
    }

    @Test func `a stream cut behind any record never makes a green run`() throws {
        let events = try Fixture.recorded("direct-st-good/events.jsonl")
        let lines = events.split(separator: 0x0A)
        let list = RecordedRun.listing(events)
        for count in stride(from: lines.count - 1, to: 0, by: -5) {
            var cut = Array(lines[..<count].joined(separator: [0x0A])) + [0x0A]
            if !count.isMultiple(of: 4) { cut += lines[count].dropLast() }
            let run = try RecordedRun(
                artifacts: [
                    (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, list), (.eventStream, cut),
                ]
            ).read()
            #expect(!run.gaps.isEmpty || run.outcomes.failures > 0, "cut behind \(count) records")
        }
    }
}
