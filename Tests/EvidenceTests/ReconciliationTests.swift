import Evidence
import RunModel
import Testing

@Suite struct XCTestReconciliationTests {
    /// A run of which the observer left records.
    static func observed() throws -> RecordedRun {
        RecordedRun(
            artifacts: [
                (.xctestList, try Fixture.recorded("direct-xctest-dump-json/stdout.txt")),
                (.observerRecords, try Fixture.recorded("xctest-observer-ldpreload/xct.jsonl")),
                (.transcript, try Fixture.recorded("xctest-observer-ldpreload/stdout.txt")),
                (.swiftTestingList, RecordedRun.noSwiftTests),
            ],
            arguments: [
                "swift", "test", "--filter", "CoreTests.FailTests", "--filter", "DupTests", "--filter", "SetUpFail",
            ], termination: .exited(1)
        )
    }

    @Test func `the observer tells apart classes of one name in two modules`() throws {
        let run = try Self.observed().read()
        #expect(
            run.summary == [
                "CoreTests.DupTests/testSame: passed", "CoreTests.FailTests/testAsyncFail: failed",
                "CoreTests.FailTests/testContinueAfterFailureFalse: failed",
                "CoreTests.FailTests/testControlChars: failed", "CoreTests.FailTests/testExpectationTimeout: failed",
                "CoreTests.FailTests/testFailThenSkip: failed", "CoreTests.FailTests/testLongMessage: failed",
                "CoreTests.FailTests/testOneAssertion: failed", "CoreTests.FailTests/testPassInFail: passed",
                "CoreTests.FailTests/testSeveralAssertions: failed", "CoreTests.FailTests/testSkipIf: skipped",
                "CoreTests.FailTests/testSkipPlain: skipped", "CoreTests.FailTests/testThrows: failed",
                "CoreTests.FailTests/testThrowsCore: failed", "CoreTests.FailTests/testUnwrap: failed",
                "CoreTests.SetUpFailTests/testNeverRuns: failed", "MixedTests.DupTests/testSame: passed",
            ]
        )
        #expect(run.gaps == [])
        #expect(run.notes == [])
    }

    @Test func `a failure has its location relative to the package and every byte of its message`() throws {
        let test = try Self.observed().read().test("CoreTests.FailTests/testSeveralAssertions")
        #expect(
            test.attempts == [
                TestAttempt(
                    outcome: .failed, duration: .nanoseconds(311_852),
                    issues: [
                        Issue(
                            message: "XCTAssertEqual failed: (\"small\") is not equal to (\"medium\") - 最初の失敗",
                            location: SourceLocation(path: "Tests/CoreTests/FailTests.swift", line: 8)
                        ),
                        Issue(
                            message: "XCTAssertTrue failed - second <tag attr=\"v\"> & ]]>",
                            location: SourceLocation(path: "Tests/CoreTests/FailTests.swift", line: 9)
                        ),
                        Issue(
                            message: "XCTAssertNil failed: \"3\" - ",
                            location: SourceLocation(path: "Tests/CoreTests/FailTests.swift", line: 10)
                        ),
                        Issue(
                            message:
                                "failed - line1\nline2\n\tline3: error: fake/path.swift:1: error: Foo.bar : not real",
                            location: SourceLocation(path: "Tests/CoreTests/FailTests.swift", line: 11)
                        ),
                    ]
                )
            ]
        )
        let thrown = try Self.observed().read().test("CoreTests.FailTests/testThrowsCore")
        #expect(thrown.issues == [Issue(message: "threw error \"negative(-5)\"")])
    }

    @Test func `the console gives the reason of a skip`() throws {
        let run = try Self.observed().read()
        #expect(try run.test("CoreTests.FailTests/testSkipPlain").skipReason == "スキップ理由 <b> & \"q\"")
        #expect(try run.test("CoreTests.FailTests/testSkipIf").skipReason == "required true value but got false")
        #expect(try run.test("CoreTests.FailTests/testFailThenSkip").skipReason == nil)
    }

    @Test func `records that stop show the test that was running and those that never ran`() throws {
        var recorded = try Self.observed()
        let lines = recorded.artifacts[1].bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let cut = lines.firstIndex {
            $0.starts(with: Array(#"{"cls":"CoreTests.FailTests","name":"testFailThenSkip""#.utf8))
        }
        recorded.artifacts[1].bytes = Array(lines[...(try #require(cut))].joined(separator: [0x0A])) + [0x0A]
        recorded.artifacts.remove(at: 2)
        let run = try recorded.read()
        #expect(try run.test("CoreTests.FailTests/testFailThenSkip").outcome == .crashed)
        #expect(
            try run.test("CoreTests.FailTests/testFailThenSkip").issues == [
                Issue(message: "its process ended while it was running")
            ]
        )
        #expect(
            run.gaps == [
                Gap(
                    .testsNotRun,
                    detail: "11 of 17 tests have no result, the first is CoreTests.FailTests/testLongMessage; "
                        + "CoreTests.FailTests/testFailThenSkip was running when its process ended"
                )
            ]
        )
        recorded.isTimedOut = true
        #expect(try recorded.read().test("CoreTests.FailTests/testFailThenSkip").outcome == .timedOut)
        recorded.isTimedOut = false
        recorded.gaps = [Gap(.interrupted, detail: "SIGINT")]
        #expect(try recorded.read().test("CoreTests.FailTests/testFailThenSkip").outcome == .notRun)
    }

    @Test func `without records the console gives the results, and a note says so`() throws {
        var recorded = try Self.observed()
        let best = try recorded.read()
        recorded.artifacts.remove(at: 1)
        let run = try recorded.read()
        #expect(run.summary == best.summary)
        #expect(run.gaps == [])
        #expect(run.notes == [Note(.observerMissing, detail: "17 results were read from the console")])
    }

    @Test func `a fatal error is the crash of the test that was running`() throws {
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, try Fixture.recorded("direct-xctest-dump-json/stdout.txt")),
                (.transcript, try Fixture.recorded("crash-xct-CrashFatalTests-noparallel/stdout.txt")),
                (.swiftTestingList, RecordedRun.noSwiftTests),
            ], arguments: ["swift", "test", "--filter", "CrashFatalTests"], termination: .exited(1)
        ).read()
        #expect(
            run.summary == [
                "CoreTests.CrashFatalTests/testA_before: passed", "CoreTests.CrashFatalTests/testB_failBefore: failed",
                "CoreTests.CrashFatalTests/testC_fatal: crashed", "CoreTests.CrashFatalTests/testD_after: not-run",
            ]
        )
        #expect(run.tests[0].attempts.first?.output == "before crash\n")
        #expect(
            run.tests[2].issues == [
                Issue(
                    message: "Fatal error: 致命的 boom <x>\n"
                        + "  in CrashFatalTests.testC_fatal() at Tests/CoreTests/CrashTests.swift:8",
                    location: SourceLocation(path: "Tests/CoreTests/CrashTests.swift", line: 8, column: 24)
                )
            ]
        )
        #expect(run.gaps.map(\.code) == [.testsNotRun])
    }

    @Test func `an exit with 0 inside of a test is its crash, and the rest is missing`() throws {
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, try Fixture.recorded("direct-xctest-dump-json/stdout.txt")),
                (.transcript, try Fixture.recorded("crash-xct-CrashExit0Tests-noparallel/stdout.txt")),
                (.swiftTestingList, RecordedRun.noSwiftTests),
            ], arguments: ["swift", "test", "--filter", "CrashExit0Tests"]
        ).read()
        #expect(
            run.summary == [
                "CoreTests.CrashExit0Tests/testA_before: passed", "CoreTests.CrashExit0Tests/testC_exit0: crashed",
                "CoreTests.CrashExit0Tests/testD_afterFail: not-run",
            ]
        )
        #expect(
            run.tests[1].issues == [
                Issue(message: "its process ended while it was running: it may have called exit(0)")
            ]
        )
        #expect(run.gaps.map(\.code) == [.testsNotRun])
    }

    @Test func `a test that prints XCTest's own lines makes no results`() throws {
        let names = ["testInvalidUTF8", "testPrintsLots", "testPrintsStderr", "testPrintsXMLish"]
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList(("CoreTests.PrintTests", names))),
                (.transcript, try Fixture.recorded("print-noparallel/stdout.txt")),
                (.swiftTestingList, RecordedRun.noSwiftTests),
            ]
        ).read()
        // SwiftPM dropped the piece of output in which `testPrintsLots` ends.
        #expect(
            run.summary == [
                "CoreTests.PrintTests/testInvalidUTF8: passed", "CoreTests.PrintTests/testPrintsLots: not-run",
                "CoreTests.PrintTests/testPrintsStderr: passed", "CoreTests.PrintTests/testPrintsXMLish: passed",
            ]
        )
        #expect(run.tests[2].attempts[0].output == "to stderr no newline")
        #expect(
            run.tests[3].attempts[0].output == """
                <testcase classname="X" name="fake"><failure message="no"/></testcase>]]>
                Test Case 'PrintTests.testFake' started at 2026-01-01 00:00:00.000
                Test Case 'PrintTests.testFake' failed (0.0 seconds)
                /x/y.swift:3: error: PrintTests.testFake : XCTFail - spoof
                \u{1B}[31mred\u{1B}[0m nul[\0] 日本語 👩‍👩‍👧‍👦
                """
        )
        #expect(run.gaps.map(\.code) == [.testsNotRun])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the further lines of many messages are taken out of the output in time`() throws {
        // With its newline 32 bytes, so that the output is cut between lines.
        let lines = (10_000..<30_000).map { "line number \($0) of a message." }
        let fails = lines.map { #"{"ev":"fail","t":1,"cls":"M.T","name":"a","desc":"no\n\#($0)"}"# }
        var records = [#"{"ev":"bundleStart","t":1}"#, #"{"ev":"start","t":1,"cls":"M.T","name":"a"}"#]
        records += fails
        records += [
            #"{"ev":"end","t":2,"cls":"M.T","name":"a","dur":1,"skipped":false,"failures":20000}"#,
            #"{"ev":"bundleEnd","t":2}"#,
        ]
        var printed = ["Test Case 'T.a' started at 2026-11-20 22:20:14.396"]
        for line in lines { printed += ["/home/ci/Sample/T.swift:3: error: T.a : no", line] }
        printed.append("Test Case 'T.a' failed (1.0 seconds)")
        func bytes(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList(("M.T", ["a"]))), (.observerRecords, bytes(records)),
                (.transcript, bytes(printed)), (.swiftTestingList, RecordedRun.noSwiftTests),
            ], termination: .exited(1)
        ).read()
        #expect(run.tests.map(\.issues.count) == [20_000])
        // Those of the head are gone. Those left out are looked for in vain, and after a hundred of them no more are.
        let tail = lines.suffix(2048).map { $0 + "\n" }.joined()
        #expect(run.tests.map(\.attempts.last?.output) == ["\n[… 508928 bytes left out …]\n" + tail])
    }

    @Test func `all tests skipped is a gap of its own`() throws {
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList(("ATests.S", ["testS", "testT"]))),
                (.transcript, try Fixture.recorded("all-skipped-xct-noparallel/stdout.txt")),
                (.swiftTestingList, RecordedRun.noSwiftTests),
            ]
        ).read()
        #expect(run.tests.map(\.skipReason) == ["全部スキップ", "2"])
        #expect(run.gaps == [Gap(.allSkipped, detail: "all 2 tests were skipped")])
    }
}
