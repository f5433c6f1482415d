import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// Tests that cancel themselves, as a whole or for an argument; and retries that do not repeat what failed.
@Suite struct CancelledArgumentTests {
    private func recorded(_ file: String) throws -> RecordedRun {
        let events = try Fixture.recorded("cancelled-arguments/\(file)")
        return RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(events)),
                (.eventStream, events),
            ], termination: .exited(1))
    }

    @Test(arguments: ["events.jsonl", "events-plain.jsonl"])
    func `a test of nothing but cancelled arguments is skipped, and one with others is not`(file: String) throws {
        let run = try recorded(file).read()
        #expect(
            run.summary == [
                "KitTests.Cancelling/alone(): skipped", "KitTests.Cancelling/aloneWithoutWord(): skipped",
                "KitTests.Cancelling/everyArgument(_:): skipped", "KitTests.Cancelling/failsAndCancels(_:): failed",
                "KitTests.Cancelling/passes(): passed", "KitTests.Cancelling/someArguments(_:): passed",
            ])
    }

    @Test func `each cancelled argument says why`() throws {
        let run = try recorded("events.jsonl").read()
        let path = "Tests/KitTests/Cancelling.swift"
        #expect(
            try run.test("KitTests.Cancelling/someArguments(_:)").issues == [
                Issue(
                    message: "two is not supported", location: SourceLocation(path: path, line: 6, column: 36),
                    isCancellation: true, argument: "2")
            ])
        #expect(try run.test("KitTests.Cancelling/everyArgument(_:)").skipReason == "1 is not supported")
        #expect(try run.test("KitTests.Cancelling/alone()").skipReason == "not here")
        #expect(
            run.notes.filter { $0.code == .argumentsCancelled } == [
                Note(
                    .argumentsCancelled, subject: "KitTests.Cancelling/failsAndCancels(_:)",
                    detail: "cancelled for 2 (after a failure); and 1 more tests")
            ])
    }

    @Test func `a stream that is ingested says so, too`() throws {
        let events = try Fixture.recorded("cancelled-arguments/events.jsonl")
        let run = try TestRun.ingesting(
            [ForeignReport(path: "e", bytes: events)], id: SampleRuns.id(1), project: "p", package: "P",
            at: SampleRuns.moment)
        #expect(
            run.notes.map(\.detail) == ["cancelled for 2 (after a failure); and 1 more tests"])
    }

    // MARK: Retries

    /// The events of one parameterized test: `started`, `failed`, `known` and `cancelled` with an argument.
    private func stream(_ arguments: [String], _ events: String...) -> [UInt8] {
        let id = "CoreTests.f(n:)/T.swift:1:2"
        let cases = arguments.map { #"{"displayName":"\#($0)"}"# }.joined(separator: ",")
        let kinds = ["started": "testCaseStarted", "cancelled": "testCaseCancelled"]
        let lines = events.map { event -> String in
            let words = event.split(separator: " ")
            let kind = kinds[String(words[0])] ?? "issueRecorded"
            let issue =
                kind == "issueRecorded"
                ? #","issue":{"isKnown":\#(words[0] == "known"),"isFailure":\#(words[0] == "failed")}"# : ""
            return #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"\#(id)","#
                + #""_testCase":{"displayName":"\#(words[1])"},"messages":[{"text":"no"}]\#(issue)},"version":"6.3.0"}"#
        }
        func event(_ kind: String, _ test: String = "") -> String {
            #"{"kind":"event","payload":{"kind":"\#(kind)"\#(test)},"version":"6.3.0"}"#
        }
        let all =
            [
                #"{"kind":"test","payload":{"kind":"function","id":"\#(id)","isParameterized":true,"#
                    + #""_testCases":[\#(cases)]},"version":"6.3.0"}"#,
                event("runStarted"), event("testStarted", #","testID":"\#(id)""#),
            ] + lines + [event("testEnded", #","testID":"\#(id)""#), event("runEnded")]
        return Array((all.joined(separator: "\n") + "\n").utf8)
    }

    private func outcome(_ first: [UInt8], retried: [UInt8]) throws -> Outcome {
        let id = TestID(module: "CoreTests", suite: "", name: "f(n:)")
        var recorded = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(first)),
                (.eventStream, first),
            ], termination: .exited(1))
        recorded.passes = [(TestPass(reason: .retry, tests: [id]), [(.eventStream, retried)])]
        return try recorded.read().test("CoreTests.f(n:)").outcome
    }

    @Test func `a retry makes good only what it did again`() throws {
        let failed = stream(["1", "2"], "started 1", "started 2", "failed 2")
        let good = stream(["1", "2"], "started 1", "started 2")
        #expect(try outcome(failed, retried: good) == .passed)
        // The argument cancels itself, is gone, or its failure is called a known issue now.
        let cancelled = stream(["1", "2"], "started 1", "started 2", "cancelled 2")
        #expect(try outcome(failed, retried: cancelled) == .failed)
        #expect(try outcome(failed, retried: stream(["1", "3"], "started 1", "started 3")) == .failed)
        let known = stream(["1", "2"], "started 1", "started 2", "known 2")
        #expect(try outcome(failed, retried: known) == .failed)
        // Another argument cancels itself, or has the known issue that it had before.
        let other = stream(["1", "2"], "started 1", "cancelled 1", "started 2")
        #expect(try outcome(failed, retried: other) == .passed)
        let both = stream(["1", "2"], "started 1", "known 1", "started 2", "failed 2")
        let again = stream(["1", "2"], "started 1", "known 1", "started 2")
        #expect(try outcome(both, retried: again) == .knownIssue)
    }
}
