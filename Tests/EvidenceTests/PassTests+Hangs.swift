import RunModel
import Testing

@testable import Evidence

/// What is said of a test that a time limit ended: where its threads were, and what it waited for.
extension PassTests {
    /// What the runtime prints when it is asked where the threads are, from the outside of the package inwards.
    private static func report(_ frames: String...) -> String {
        let threads = frames.enumerated().map { number, frame in
            "Thread \(number)\(number == 0 ? " crashed" : " \"worker\""):\n\n"
                + "  0      0x00007f1035352366 ppoll + 166 in libc.so.6\n"
                + (frame.isEmpty ? "...\n\n" : "  1 [ra] 0x0000559ff6915695 \(frame)\n...\n\n")
        }
        return "\n*** Signal 3: Backtracing from 0x7f1035352366... done ***\n\n"
            + "*** Program crashed: Terminated at 0x00000000000035a4 ***\n\n" + threads.joined()
    }

    private static func frame(_ function: String, line: Int) -> String {
        "\(function) + 245 in SamplePackageTests.xctest at /home/ci/Sample/Tests/CoreTests/T.swift:\(line):9"
    }

    private static let start = "Test Case 'T.b' started at 2026-11-22 08:35:42.172\n"

    private func hanging(_ report: String, _ records: [UInt8]) -> RecordedRun {
        var recorded = crashed
        recorded.artifacts[2].bytes = records
        recorded.artifacts.append((.transcript, Array((Self.start + report).utf8)))
        recorded.isTimedOut = true
        recorded.diagnosis = Diagnosis(
            cause: .silence, limit: .seconds(5),
            running: [.init(name: "CoreTests.T/b", duration: .seconds(6), isOverdue: false)], processes: [])
        return recorded
    }

    @Test func `where no frame of the package is on the main thread another one shows where a test hangs`() throws {
        let records = observer("bundleStart", "start a", "end a", "start b")
        let issue = try hanging(
            Self.report("", "", Self.frame("work()", line: 7), Self.frame("other()", line: 8)), records
        ).read().test("CoreTests.T/b").firstFailure
        #expect(issue?.location == SourceLocation(path: "Tests/CoreTests/T.swift", line: 7, column: 9))
        #expect(
            issue?.message
                == "it was ended after 6 s: the tests gave no sign of life for 5 s\n"
                + "  in work() at Tests/CoreTests/T.swift:7")
        let main = try hanging(Self.report(Self.frame("T.b()", line: 3), Self.frame("work()", line: 7)), records)
            .read().test("CoreTests.T/b").firstFailure
        #expect(main?.location?.line == 3)
    }

    @Test func `of a crash only the thread that crashed tells where`() throws {
        let records = observer("bundleStart", "start a", "end a", "start b")
        var recorded = hanging(
            Self.report("", Self.frame("work()", line: 7)).replacing("Signal 3", with: "Signal 4"), records)
        recorded.isTimedOut = false
        recorded.diagnosis = nil
        let test = try recorded.read().test("CoreTests.T/b")
        #expect(test.outcome == .crashed)
        #expect(test.firstFailure?.location == nil)
    }

    @Test func `a test that waits says for what`() throws {
        let wait =
            #"{"ev":"wait","t":1,"cls":"CoreTests.T","name":"b","desc":"the server's answer","#
            + #""file":"/home/ci/Sample/Tests/CoreTests/T.swift","line":5}"#
        let records = observer("bundleStart", "start a", "end a", "start b") + Array("\(wait)\n".utf8)
        let asynchronous = try hanging(Self.report("", ""), records).read().test("CoreTests.T/b").firstFailure
        #expect(asynchronous?.location == SourceLocation(path: "Tests/CoreTests/T.swift", line: 5))
        #expect(
            asynchronous?.message
                == "it was ended after 6 s: the tests gave no sign of life for 5 s\n"
                + "  waits for the expectation 'the server's answer' made at Tests/CoreTests/T.swift:5")
        let synchronous = try hanging(Self.report(Self.frame("T.b()", line: 9)), records).read()
            .test("CoreTests.T/b").firstFailure
        #expect(synchronous?.location?.line == 9)
    }

    @Test func `of tests that hang at the same time each is where its function is on a stack`() throws {
        var recorded = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, events(["a", "b"])),
                (.eventStream, events(["a", "b"], "runStarted", "testStarted a", "testStarted b")),
                (
                    .transcript,
                    Array(Self.report("", Self.frame("b()", line: 7), Self.frame("helper()", line: 8)).utf8)
                ),
            ], termination: .signaled(15))
        recorded.isTimedOut = true
        let run = try recorded.read()
        #expect(run.tests.map(\.outcome) == [.timedOut, .timedOut])
        #expect(run.tests.map(\.firstFailure?.location?.line) == [nil, 7])
    }
}
