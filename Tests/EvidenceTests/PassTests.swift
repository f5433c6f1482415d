import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// Runs of several passes: what a process left behind, and what another made of it.
@Suite struct PassTests {
    /// Records of tests `CoreTests.T/name`; `skipped name` is the end of one that skipped itself.
    func observer(_ records: String...) -> [UInt8] {
        let lines = records.map { record -> String in
            let words = record.split(separator: " ").map(String.init)
            guard words.count == 2 else { return #"{"ev":"\#(record)","t":1}"# }
            let isSkipped = words[0] == "skipped"
            let event = isSkipped ? "end" : words[0]
            let end = event == "end" ? #","dur":0.5,"skipped":\#(isSkipped),"failures":0"# : ""
            let fail = event == "fail" ? #","desc":"no","file":"/home/ci/Sample/T.swift","line":3"# : ""
            return #"{"ev":"\#(event)","t":1,"cls":"CoreTests.T","name":"\#(words[1])"\#(end)\#(fail)}"#
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Events of tests `CoreTests.name()`.
    func events(_ names: [String], _ events: String...) -> [UInt8] {
        let listed = names.map { #"{"kind":"test","payload":{"kind":"function","id":"\#(id($0))"},"version":"6.3.0"}"# }
        let told = events.map { event in
            let words = event.split(separator: " ").map(String.init)
            let test = words.count == 2 ? #","testID":"\#(id(words[1]))""# : ""
            return #"{"kind":"event","payload":{"kind":"\#(words[0])"\#(test),"#
                + #""instant":{"absolute":1,"since1970":1},"messages":[]},"version":"6.3.0"}"#
        }
        return Array(((listed + told).joined(separator: "\n") + "\n").utf8)
    }

    private func id(_ name: String) -> String { "CoreTests.\(name)()/T.swift:1:2" }
    func test(_ name: String, _ suite: String = "T") -> TestID {
        TestID(module: "CoreTests", suite: suite, name: name)
    }

    private let listed = RecordedRun.xctestList((name: "CoreTests.T", tests: ["a", "b", "c"]))

    var crashed: RecordedRun {
        RecordedRun(
            artifacts: [
                (.xctestList, listed), (.swiftTestingList, RecordedRun.noSwiftTests),
                (.observerRecords, observer("bundleStart", "start a", "end a", "start b")),
            ],
            termination: .exited(1)
        )
    }

    @Test(
        arguments: [
            ("transcript.log", nil, true), ("pass-2/transcript.log", nil, false), ("pass-2/\u{301}t.log", nil, false),
            ("pass-2/transcript.log", "pass-2", true), ("pass-2/\u{301}t.log", "pass-2", true),
            ("pass-2/caf\u{E9}/t.log", "pass-2/cafe\u{301}", false), ("transcript.log", "pass-2", false),
        ] as [(String, String?, Bool)])
    func `a file belongs to the pass of its folder, by bytes`(path: String, folder: String?, isOwn: Bool) {
        let artifact = Artifact(role: .transcript, path: path, bytes: 0, sha256: "")
        #expect(TestPass(reason: .first, folder: folder).owns(artifact) == isOwn)
    }

    @Test func `what a crash left behind and another process ran is whole`() throws {
        var recorded = crashed
        #expect(try recorded.read().gaps.map(\.code) == [.testsNotRun])
        recorded.passes = [
            (
                TestPass(reason: .recovery, tests: [test("c")]),
                [(.observerRecords, observer("bundleStart", "start c", "end c", "bundleEnd"))]
            )
        ]
        // Both processes ended with the same status; the second had no reason to.
        let run = try recorded.read()
        #expect(
            run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: crashed", "CoreTests.T/c: passed"])
        #expect(run.gaps.map(\.code) == [.exitContradictsResults])
        #expect(
            run.notes.filter { $0.code == .testsRecovered } == [
                Note(.testsRecovered, detail: "1 test left by a process that ended early, run in 1 more pass")
            ])
    }

    // MARK: Several processes at a time

    /// Two processes started directly, the first of which ran the first test.
    private func twoProcesses(_ second: [String], _ records: [UInt8]?) -> RecordedRun {
        var recorded = crashed
        recorded.engine = .direct
        recorded.arguments = ["/b/CorePackageTests.xctest", "CoreTests.T/…"]
        recorded.termination = .exited(0)
        recorded.firstTests = [test("a")]
        recorded.artifacts[2].bytes = observer("bundleStart", "start a", "end a", "bundleEnd")
        recorded.passes = [
            (TestPass(reason: .first, tests: second.map { test($0) }), records.map { [(.observerRecords, $0)] } ?? [])
        ]
        return recorded
    }

    @Test func `processes that each ran their tests are whole together`() throws {
        let records = observer("bundleStart", "start b", "end b", "start c", "end c", "bundleEnd")
        let run = try twoProcesses(["b", "c"], records).read()
        #expect(run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: passed", "CoreTests.T/c: passed"])
        #expect(run.gaps == [])
        #expect(run.notes == [])
    }

    @Test func `a test that fell to no process is missed`() throws {
        let run = try twoProcesses(["b"], observer("bundleStart", "start b", "end b", "bundleEnd")).read()
        #expect(run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: passed", "CoreTests.T/c: not-run"])
        #expect(
            run.gaps == [
                Gap(.testsNotRun, detail: "1 of 3 tests have no result, the first is CoreTests.T/c")
            ])
    }

    @Test func `tests of a process that was never started are missed`() throws {
        let run = try twoProcesses(["b", "c"], nil).read()
        #expect(run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: not-run", "CoreTests.T/c: not-run"])
        #expect(
            run.gaps == [
                Gap(.testsNotRun, detail: "2 of 3 tests have no result, the first is CoreTests.T/b")
            ])
    }

    @Test func `a process that died before its first test leaves nothing green`() throws {
        let run = try twoProcesses(["b", "c"], observer("bundleStart")).read()
        #expect(run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: not-run", "CoreTests.T/c: not-run"])
        #expect(run.gaps.map(\.code) == [.testsNotRun])
    }

    @Test func `a crash in one of two processes is explained by the test that was running in it`() throws {
        var recorded = twoProcesses(["b", "c"], observer("bundleStart", "start b"))
        let rest = observer("bundleStart", "start c", "end c", "bundleEnd")
        recorded.passes.append((TestPass(reason: .recovery, tests: [test("c")]), [(.observerRecords, rest)]))
        #expect(
            try recorded.read().summary == ["CoreTests.T/a: passed", "CoreTests.T/b: crashed", "CoreTests.T/c: passed"])
    }

    @Test func `a retry keeps both attempts, and hides no crash`() throws {
        var recorded = crashed
        recorded.artifacts[2].bytes = observer(
            "bundleStart", "start a", "fail a", "end a", "start b", "end b", "start c", "end c", "bundleEnd")
        let good = observer("bundleStart", "start a", "end a", "bundleEnd")
        recorded.passes = [(TestPass(reason: .retry, tests: [test("a")]), [(.observerRecords, good)])]
        let flaky = try recorded.read().test("CoreTests.T/a")
        #expect(flaky.attempts.map(\.outcome) == [.failed, .passed])
        #expect(flaky.outcome == .passed)
        #expect(flaky.isFlaky)

        recorded.passes = [
            (TestPass(reason: .retry, tests: [test("a")]), [(.observerRecords, observer("bundleStart", "start a"))]),
            (TestPass(reason: .retry, tests: [test("a")]), [(.observerRecords, good)]),
        ]
        let crashing = try recorded.read().test("CoreTests.T/a")
        #expect(crashing.attempts.map(\.outcome) == [.failed, .crashed, .passed])
        #expect(crashing.outcome == .crashed)
        #expect(!crashing.isFlaky)
    }

    @Test func `only the test that used up its time is to blame for a time limit`() throws {
        var recorded = crashed
        recorded.isTimedOut = true
        recorded.diagnosis = Diagnosis(
            cause: .test, limit: .seconds(120),
            running: [.init(name: "CoreTests.T/b", duration: .seconds(121), isOverdue: true)], processes: []
        )
        let slow = try recorded.read().test("CoreTests.T/b")
        #expect(slow.outcome == .timedOut)
        #expect(slow.firstFailure?.message == "it was ended after 2 min 1 s: the limit for one test is 2 min")

        recorded.diagnosis?.running[0].isOverdue = false
        #expect(try recorded.read().test("CoreTests.T/b").outcome == .notRun)
        recorded.diagnosis?.cause = .silence
        #expect(try recorded.read().test("CoreTests.T/b").outcome == .timedOut)
    }

    // MARK: Several tests at once

    var suspects: RecordedRun {
        RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()),
                (.swiftTestingList, events(["x", "y", "z"], "runStarted", "runEnded")),
                (.eventStream, events(["x", "y", "z"], "runStarted", "testStarted x", "testStarted y")),
            ],
            termination: .exited(1)
        )
    }

    @Test func `of tests that ran at the same time the one that crashes again is to blame`() throws {
        var recorded = suspects
        #expect(
            try recorded.read().summary == [
                "CoreTests.x(): crashed", "CoreTests.y(): crashed", "CoreTests.z(): not-run",
            ])
        let serial = TestPass(reason: .recovery, tests: [test("x()", ""), test("y()", "")])
        let others = TestPass(reason: .recovery, tests: [test("z()", "")])
        let rest = events(["z"], "runStarted", "testStarted z", "testEnded z", "runEnded")
        recorded.passes = [
            (
                serial,
                [(.eventStream, events(["x", "y"], "runStarted", "testStarted x", "testEnded x", "testStarted y"))]
            ),
            (others, [(.eventStream, rest)]),
        ]
        let run = try recorded.read()
        #expect(run.summary == ["CoreTests.x(): passed", "CoreTests.y(): crashed", "CoreTests.z(): passed"])
        #expect(try run.test("CoreTests.x()").attempts.map(\.outcome) == [.notRun, .passed])
        #expect(!run.gaps.contains { $0.code == .crashUnexplained })
    }

    @Test func `a crash that does not come again is not forgotten`() throws {
        var recorded = suspects
        let both = events(
            ["x", "y"], "runStarted", "testStarted x", "testEnded x", "testStarted y", "testEnded y", "runEnded")
        recorded.passes = [
            (TestPass(reason: .recovery, tests: [test("x()", ""), test("y()", "")]), [(.eventStream, both)])
        ]
        let run = try recorded.read()
        let gap = run.gaps.first { $0.code == .crashUnexplained }
        let words =
            "a process crashed while 2 tests were running, the first is CoreTests.x(); run again, none of them did"
        #expect(gap == Gap(.crashUnexplained, detail: words))
        #expect(run.outcomes.failures == 0)

        // What the transcript has of it is told.
        recorded.artifacts.append(
            (
                .transcript,
                Array(
                    """
                    Kit/Kit.swift:5: Fatal error: boom

                    *** Signal 4: Backtracing from 0x7f12... done ***

                    *** Program crashed: Illegal instruction at 0x000000000051ea31 ***

                    Thread 1 "swift-task" crashed:

                     0 0x1 boom() + 12 in SamplePackageTests.xctest at /home/ci/Sample/Sources/Kit/Kit.swift:5:7

                    """.utf8)
            ))
        let told = try recorded.read().gaps.first { $0.code == .crashUnexplained }
        let crash =
            "Fatal error: boom, Illegal instruction, signal 4, at Kit/Kit.swift:5, in boom() at Sources/Kit/Kit.swift:5"
        #expect(told == Gap(.crashUnexplained, detail: "\(words): \(crash)"))
    }

    @Test func `a report tells the runner what to run again`() throws {
        let folder = try TemporaryFolder()
        let directory = try crashed.write(in: folder)
        let report = try PassReport(of: 0, manifest: directory.manifest(), in: directory)
        #expect(report.unfinished == [test("c")])
        #expect(report.suspects == [])
        #expect(report.settled == 2)
        let other = try TemporaryFolder()
        let several = try suspects.write(in: other)
        let suspected = try PassReport(of: 0, manifest: several.manifest(), in: several)
        #expect(suspected.suspects == [test("x()", ""), test("y()", "")])
        #expect(suspected.unfinished == [test("z()", "")])
        #expect(suspected.settled == 0)
    }

    @Test func `both lists are read with the names that their libraries take`() throws {
        let tests = try DiscoveredTests(xctestList: listed, swiftTestingList: events(["x"], "runStarted"))
        #expect(tests.entries.map(\.name) == ["CoreTests.T/a", "CoreTests.T/b", "CoreTests.T/c", id("x")])
        #expect(tests.entries.map(\.id) == [test("a"), test("b"), test("c"), test("x()", "")])
        #expect(throws: EvidenceError.self) {
            try DiscoveredTests(xctestList: Array("-> run".utf8), swiftTestingList: nil)
        }
    }
}
