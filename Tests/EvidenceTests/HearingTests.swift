import RunModel
import Testing

@testable import Evidence

/// Assertions that their library does not hear by itself, as the observer tells of them.
@Suite struct HearingTests {
    private func run(_ records: [String], rule: InteropRule? = .fail, events: [UInt8]? = nil) throws -> TestRun {
        let lines = ["bundleStart"] + records + ["bundleEnd"]
        let text = lines.map { line -> String in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            let name = words.count > 1 && words[1] != "-" ? #","name":"\#(words[1])""# : ""
            let end = words[0] == "end" || words[0] == "deaf-end" ? #","dur":0.5,"skipped":false,"failures":0"# : ""
            let deaf = words[0] == "deaf-end" ? #","deaf":true"# : ""
            let said = words.count > 2 ? #","desc":"\#(words[2])","file":"/home/ci/Sample/T.swift","line":3"# : ""
            let event = words[0] == "deaf-end" ? "end" : words[0]
            return #"{"ev":"\#(event)","t":1,"cls":"CoreTests.T"\#(name)\#(end)\#(deaf)\#(said)}"#
        }
        let listed = Set(records.map { $0.split(separator: " ") }.filter { $0[0] == "start" }.map { String($0[1]) })
        var recorded = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList((name: "CoreTests.T", tests: listed.sorted()))),
                (.swiftTestingList, events ?? RecordedRun.noSwiftTests),
                (.observerRecords, Array((text.joined(separator: "\n") + "\n").utf8)),
            ] + (events.map { [(.eventStream, $0)] } ?? []),
            termination: .exited(records.contains { $0.hasPrefix("fail a") } ? 1 : 0))
        recorded.interop = rule.map { Interop(rule: $0) }
        return try recorded.read()
    }

    private let place = SourceLocation(path: "T.swift", line: 3)

    @Test func `what fails while no test runs leaves the run undecided, and names the class`() throws {
        let run = try run(["fail - failed - set up", "start a", "end a"])
        #expect(run.summary == ["CoreTests.T/a: passed"])
        #expect(
            run.gaps == [
                Gap(.issueWithoutTest, subject: "CoreTests.T", detail: "failed - set up at T.swift:3")
            ])
    }

    @Test func `an issue that was announced makes a known issue, and a warning nothing`() throws {
        let run = try run(["start a", "known a as announced", "end a", "start b", "warn b mind this", "end b"])
        #expect(run.summary == ["CoreTests.T/a: known-issue", "CoreTests.T/b: passed"])
        #expect(
            run.tests.flatMap(\.issues) == [
                Issue(message: "as announced", location: place, isKnown: true),
                Issue(message: "mind this", location: place, isWarning: true),
            ])
        #expect(run.gaps == [])
    }

    @Test(arguments: [InteropRule.fail, nil])
    func `a process that heard nothing leaves the run undecided`(rule: InteropRule?) throws {
        let run = try run(["start a", "end a", "deaf - nobody tells"], rule: rule)
        #expect(run.gaps == [Gap(.assertionsUnheard, detail: "nobody tells")])
    }

    @Test func `a record of a kind that nobody knows leaves the run undecided`() throws {
        let run = try run(["start a", "fail2 a no", "end a", "suiteStart", "suiteEnd"])
        #expect(run.summary == ["CoreTests.T/a: passed"])
        let detail = "a record of an unknown kind was passed over: fail2"
        #expect(run.gaps == [Gap(.assertionsUnheard, detail: detail)])
    }

    @Test func `what the observer wrote down in a process of other tests leaves the run undecided, too`() throws {
        var recorded = RecordedRun(artifacts: [
            (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.noSwiftTests),
            (
                .observerRecords,
                Array(
                    #"{"ev":"fail","t":1,"cls":"","desc":"XCTAssertEqual failed","file":"/home/ci/Sample/T.swift","line":3}"#
                        .utf8)
            ),
        ])
        recorded.interop = Interop(rule: .fail)
        #expect(try recorded.read().gaps.contains { $0.code == .issueWithoutTest })
    }

    @Test(arguments: [InteropRule.fail, .swiftTest])
    func `a process in which nothing could be loaded leaves the run undecided`(rule: InteropRule) throws {
        let transcript = """
            Test Suite 'All tests' started at 2026-01-02 03:04:05.000
            Test Case 'T.a' started at 2026-01-02 03:04:05.000
            Test Case 'T.a' passed (0.001 seconds)
            Test Suite 'All tests' passed at 2026-01-02 03:04:05.000
            \t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.001) seconds

            """
        var recorded = RecordedRun(artifacts: [
            (.xctestList, RecordedRun.xctestList((name: "CoreTests.T", tests: ["a"]))),
            (.swiftTestingList, RecordedRun.noSwiftTests), (.transcript, Array(transcript.utf8)),
        ])
        recorded.interop = Interop(rule: rule)
        let run = try recorded.read()
        #expect(run.summary == ["CoreTests.T/a: passed"])
        #expect(run.notes.contains { $0.code == .observerMissing })
        #expect(run.gaps.map(\.code) == (rule == .fail ? [.assertionsUnheard] : []))
    }

    /// A process in which a test of Swift Testing passed, with what it wrote down besides.
    private func swiftTesting(_ record: String?, _ interop: Interop?, gaps: [Gap] = []) throws -> [Gap] {
        let id = "CoreTests.new()/T.swift:1:2"
        let listed = #"{"kind":"test","payload":{"kind":"function","id":"\#(id)"},"version":"6.3.0"}"#
        let told = ["runStarted", "testStarted", "testEnded", "runEnded"].map { kind in
            let test = kind.hasPrefix("test") ? #","testID":"\#(id)""# : ""
            return #"{"kind":"event","payload":{"kind":"\#(kind)"\#(test)},"version":"6.3.0"}"#
        }
        let events = Array((([listed] + told).joined(separator: "\n") + "\n").utf8)
        var recorded = RecordedRun(artifacts: [
            (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(events)),
            (.eventStream, events),
        ])
        if let record { recorded.artifacts.append((.observerRecords, Array("\(record)\n".utf8))) }
        recorded.interop = interop
        recorded.gaps = gaps
        let run = try recorded.read()
        #expect(run.summary == ["CoreTests.new(): passed"])
        return run.gaps
    }

    @Test func `a process of Swift Testing that does not say that it hears assertions of XCTest is undecided`() throws {
        let confirmed = Interop(rule: .fail, confirmsHearing: true)
        let silent = Gap(.assertionsUnheard, detail: "what listens in tests of Swift Testing has written nothing down")
        let heard = #"{"ev":"heard","desc":"assertions of XCTest"}"#
        #expect(try swiftTesting(nil, confirmed) == [silent])
        #expect(try swiftTesting(heard, confirmed) == [])
        #expect(try swiftTesting(#"{"ev":"bundleStart"}"#, confirmed) == [silent])
        let told = Gap(.assertionsUnheard, detail: "nobody tells")
        #expect(try swiftTesting(#"{"ev":"deaf","desc":"nobody tells"}"#, confirmed) == [told])
        #expect(try swiftTesting(nil, confirmed, gaps: [told]) == [told])
        // Versions that say nothing where all is well, and who takes what swift test hears.
        #expect(try swiftTesting(nil, Interop(rule: .fail)) == [])
        #expect(try swiftTesting(nil, Interop(rule: .swiftTest, confirmsHearing: true)) == [])
    }

    @Test func `who takes the word of swift test is only told`() throws {
        let run = try run(["start a", "end a", "deaf - nobody tells"], rule: .swiftTest)
        #expect(run.gaps == [])
        #expect(run.notes == [Note(.assertionsUnheard, detail: "nobody tells")])
    }

    @Test func `a test after whose middle nothing was heard is undecided, unless it failed before`() throws {
        let detail = "it ran another test without a suite; what it asserted after that fails nothing"
        let run = try run(["start a", "deaf-end a", "start b", "fail b no", "deaf-end b"])
        #expect(run.summary == ["CoreTests.T/a: passed", "CoreTests.T/b: failed"])
        #expect(run.gaps.first == Gap(.assertionsUnheard, subject: "CoreTests.T/a", detail: detail))
        #expect(!run.gaps.contains { $0.subject == "CoreTests.T/b" })
    }

    @Test func `what is ignored by the settings is counted, and the first is named`() throws {
        let id = "CoreTests.new()/T.swift:1:2"
        let lines = [
            #"{"kind":"test","payload":{"kind":"function","id":"\#(id)"},"version":"6.3.0"}"#,
            #"{"kind":"event","payload":{"kind":"runStarted"},"version":"6.3.0"}"#,
            #"{"kind":"event","payload":{"kind":"testStarted","testID":"\#(id)"},"version":"6.3.0"}"#,
            #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"\#(id)","#
                + #""messages":[{"text":"Issue recorded"},{"text":"old [of XCTest, ignored as in swift test]"}],"#
                + #""issue":{"isKnown":false,"isFailure":false,"severity":"warning"}},"version":"6.3.0"}"#,
            #"{"kind":"event","payload":{"kind":"testEnded","testID":"\#(id)"},"version":"6.3.0"}"#,
            #"{"kind":"event","payload":{"kind":"runEnded"},"version":"6.3.0"}"#,
        ]
        let run = try run(
            ["ignored - in setUp", "start a", "ignored a 1 == 2", "end a"], rule: .swiftTest,
            events: Array((lines.joined(separator: "\n") + "\n").utf8))
        #expect(run.summary == ["CoreTests.new(): passed", "CoreTests.T/a: passed"])
        #expect(run.gaps == [])
        let words = "3 failed assertions fail no test, the first at T.swift:3: in setUp"
        #expect(run.notes == [Note(.assertionsIgnored, subject: "CoreTests.T", detail: words)])
    }

    @Test func `of tests of one name that a test runs itself the worst outcome counts`() throws {
        let run = try run(["start a", "fail a no", "end a", "start a", "end a"])
        #expect(run.summary == ["CoreTests.T/a: failed"])
        #expect(run.tests.map { $0.attempts.map(\.outcome) } == [[.failed, .passed]])
        #expect(run.tests.map(\.isFlaky) == [false])
    }
}
