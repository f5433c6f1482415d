import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct LiveResultsTests {
    @Test func `observer records tell what begins and how it ends`() throws {
        var results = LiveResults()
        let told = try Fixture.lines("failing-observer.jsonl").compactMap { results.progress(ofObserverRecord: $0) }
        #expect(
            told == [
                .testStarted(name: "GreetingTests.ClassicTests/testFails"),
                .testEnded(name: "GreetingTests.ClassicTests/testFails", outcome: .failed),
                .testStarted(name: "GreetingTests.ClassicTests/testPasses"),
                .testEnded(name: "GreetingTests.ClassicTests/testPasses", outcome: .passed),
                .testStarted(name: "GreetingTests.ClassicTests/testSkips"),
                .testEnded(name: "GreetingTests.ClassicTests/testSkips", outcome: .skipped),
            ]
        )
    }

    @Test func `events tell the same of Swift Testing, without its suites`() throws {
        var results = LiveResults()
        let told = Set(try Fixture.lines("failing-events.jsonl").compactMap { results.progress(ofEvent: $0) })
        #expect(
            told == [
                .testStarted(name: "GreetingTests.ModernTests/fails()"),
                .testEnded(name: "GreetingTests.ModernTests/fails()", outcome: .failed),
                .testStarted(name: "GreetingTests.ModernTests/hasKnownIssue()"),
                .testEnded(name: "GreetingTests.ModernTests/hasKnownIssue()", outcome: .knownIssue),
                .testEnded(name: "GreetingTests.ModernTests/skips()", outcome: .skipped),
            ]
        )
    }

    @Test func `a record cut anywhere tells nothing`() throws {
        var results = LiveResults()
        for line in try Fixture.lines("failing-observer.jsonl") {
            for length in 0..<line.count { #expect(results.progress(ofObserverRecord: line.prefix(length)) == nil) }
        }
        for line in try Fixture.lines("failing-events.jsonl") {
            for length in 0..<line.count { #expect(results.progress(ofEvent: line.prefix(length)) == nil) }
        }
    }

    @Test func `an XCTest case is late by its own time, one of Swift Testing by that since others ended`() throws {
        func event(_ kind: String, _ test: String) -> Data {
            Data(#"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.\#(test)()/F.swift:1:2"}}"#.utf8)
        }
        var results = LiveResults()
        for test in ["x", "y"] {
            let id = "M.\(test)()/F.swift:1:2"
            let line = #"{"kind":"test","payload":{"kind":"function","id":"\#(id)"}}"#
            #expect(results.progress(ofEvent: Data(line.utf8)) == nil)
            _ = results.progress(ofEvent: event("testStarted", test), at: .seconds(1))
        }
        _ = results.progress(ofEvent: event("testEnded", "y"), at: .seconds(9))
        #expect(results.running(at: .seconds(12), limit: .seconds(10)).map(\.isOverdue) == [false])
        #expect(
            results.running(at: .seconds(19), limit: .seconds(10)) == [
                .init(name: "M.x()/F.swift:1:2", duration: .seconds(18), isOverdue: true)
            ])
        #expect(results.running(at: .seconds(99), limit: nil).map(\.isOverdue) == [false])
        let start = Data(#"{"ev":"start","t":1,"cls":"M.T","name":"a"}"#.utf8)
        _ = results.progress(ofObserverRecord: start, at: .seconds(19))
        #expect(
            results.running(at: .seconds(30), limit: .seconds(11)).map(\.name) == ["M.x()/F.swift:1:2", "M.T/a"])
        #expect(results.running(at: .seconds(30), limit: .seconds(11)).map(\.isOverdue) == [true, true])
        #expect(results.ended == 1)
    }

    @Test(arguments: [#"{"kind":"runStarted"}"#, #"{"kind":"testStarted","testID":"M.S/F.swift:1:2"}"#])
    func `a case of XCTest without an end is over when Swift Testing begins`(payload: String) {
        var results = LiveResults()
        let start = Data(#"{"ev":"start","t":1,"cls":"M.T","name":"crashes"}"#.utf8)
        _ = results.progress(ofObserverRecord: start, at: .seconds(1))
        #expect(
            results.running(at: .seconds(3), limit: .seconds(2)) == [
                .init(name: "M.T/crashes", duration: .seconds(2), isOverdue: true)
            ])
        let event = Data(#"{"kind":"event","payload":\#(payload)}"#.utf8)
        #expect(results.progress(ofEvent: event, at: .seconds(3)) == nil)
        #expect(results.running(at: .seconds(99), limit: .seconds(2)) == [])
        #expect(results.ended == 0)
    }

    @Test func `a tail gives every line once, however it was written`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/records.jsonl"
        var tail = RecordTail(path: path)
        #expect(tail.newLines() == [])
        _ = try folder.write("one\ntw", to: "records.jsonl")
        #expect(tail.newLines() == [Data("one".utf8)])
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("o\n\nthree\n".utf8))
        try file.close()
        #expect(tail.newLines() == [Data("two".utf8), Data("three".utf8)])
        #expect(tail.newLines() == [])
    }
}
