import RunModel
import Testing

@testable import Evidence
@testable import TestResults

/// Versions of the event stream. What 6.4 and 6.5 write was written here by hand, from their proposals and sources: no toolchain has
/// written it.
@Suite struct EventVersionTests {
    private let id = "KitTests.Suite/f()/F.swift:1:2"

    private func read(_ lines: [String]) throws -> EventStream {
        try EventStream.read(Array((lines.joined(separator: "\n") + "\n").utf8), file: "e")
    }

    /// A whole run of one test by Swift 6.4: two repetitions, the first of which fails.
    private var repeated: [String] {
        [
            #"{"kind":"test","payload":{"kind":"function","id":"\#(id)","isParameterized":false,"name":"f()","#
                + #""tags":[".slow"],"_tags":[".slow",".old"],"bugs":[{"url":"https://example.com/1","title":"slow"}],"#
                + #""timeLimit":60.0,"sourceLocation":{"fileID":"KitTests/F.swift","filePath":"/p/F.swift","line":1,"#
                + #""column":2}},"version":"6.4.0"}"#,
            #"{"kind":"event","payload":{"kind":"runStarted","instant":{"absolute":1,"since1970":1},"messages":[]},"#
                + #""version":"6.4.0"}"#,
            event("testStarted", 1, at: 2), issue(1), event("testEnded", 1, at: 3), event("testStarted", 2, at: 4),
            event("testEnded", 2, at: 5),
            #"{"kind":"event","payload":{"kind":"runEnded","instant":{"absolute":6,"since1970":6},"messages":[]},"#
                + #""version":"6.4.0"}"#,
        ]
    }

    private func event(_ kind: String, _ iteration: Int, at time: Int) -> String {
        #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"\#(id)","iteration":\#(iteration),"#
            + #""instant":{"absolute":\#(time),"since1970":\#(time)},"messages":[]},"version":"6.4.0"}"#
    }

    private func issue(_ iteration: Int) -> String {
        #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"\#(id)","iteration":\#(iteration),"#
            + #""instant":{"absolute":2.5,"since1970":2.5},"messages":[{"symbol":"fail","text":"no"}],"#
            + #""issue":{"isKnown":false,"isFailure":true,"severity":"error"}},"version":"6.4.0"}"#
    }

    @Test func `of several repetitions of a test the worst counts`() throws {
        let stream = try read(repeated)
        #expect(stream.functions.map(\.tags) == [[".slow"]])
        let function = try #require(stream.functions.first)
        #expect(function.executions.map(\.iteration) == [1, 2])
        #expect(function.executions.map(\.issues.count) == [1, 0])
        let result = function.result(id: function.id.test, paths: PackagePaths(root: "/p")) { _ in
            TestAttempt(outcome: .crashed)
        }
        #expect(result.outcome == .failed)
        #expect(result.attempts.map(\.outcome) == [.failed, .passed])
    }

    @Test func `what a repetition recorded late is its own`() throws {
        var lines = repeated
        lines.swapAt(3, 5)
        #expect(try read(lines).functions.first?.executions.map(\.issues.count) == [1, 0])
    }

    @Test func `an issue of 6-5 has its place beside it, says why it is known, and needs no words for people`() throws {
        let lines = [
            #"{"kind":"test","payload":{"kind":"function","id":"\#(id)"},"version":"6.5.0"}"#,
            #"{"kind":"event","payload":{"kind":"testStarted","testID":"\#(id)","iteration":1},"version":"6.5.0"}"#,
            #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"\#(id)","iteration":1,"comments":["broken"],"#
                + #""sourceLocation":{"fileID":"K/F.swift","filePath":"/p/F.swift","line":3,"column":4},"#
                + #""issue":{"isKnown":"because of the parser","isFailure":false}},"version":"6.5.0"}"#,
            #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"\#(id)","iteration":1,"#
                + #""sourceLocation":{"fileID":"K/F.swift","filePath":"/p/F.swift","line":5,"column":4},"#
                + #""issue":{"isFailure":true,"severity":"error"}},"version":"6.5.0"}"#,
        ]
        #expect(
            try read(lines).functions.first?.executions.first?.issues == [
                Issue(
                    message: "broken", location: SourceLocation(path: "/p/F.swift", line: 3, column: 4), isKnown: true),
                Issue(
                    message: "an issue without a message",
                    location: SourceLocation(path: "/p/F.swift", line: 5, column: 4)),
            ])
    }

    @Test(arguments: [#""7.0.0""#, #""6.6.0""#, #""6.2.0""#, #""99.0.0""#, #""""#, #""6""#, "1", "-1"])
    func `a version that is not known is refused`(version: String) {
        #expect(throws: EvidenceError.self) {
            try read([#"{"kind":"event","payload":{"kind":"runStarted"},"version":\#(version)}"#])
        }
    }

    @Test func `a record that names no version is refused`() {
        #expect(throws: EvidenceError.self) { try read([#"{"kind":"event","payload":{"kind":"runStarted"}}"#]) }
    }

    @Test(arguments: ["0", #""6.3.0""#, #""6.3""#, #""6.4.0""#, #""6.5.1""#])
    func `a version that is known is read`(version: String) throws {
        let stream = try read([#"{"kind":"event","payload":{"kind":"runStarted"},"version":\#(version)}"#])
        #expect(stream.hasStarted)
    }

    @Test func `cut at any byte it is never whole, and never better than it was`() throws {
        let bytes = Array((repeated.joined(separator: "\n") + "\n").utf8)
        let whole = try EventStream.read(bytes, file: "e")
        for end in bytes.indices {
            let cut = try EventStream.read(Array(bytes[..<end]), file: "e")
            #expect(!cut.hasEnded || end == bytes.count - 1)
            #expect(cut.functions.count <= whole.functions.count)
            let issues = cut.functions.first?.executions.flatMap(\.issues) ?? []
            if cut.functions.first?.executions.count == 2 { #expect(issues.count == 1) }
        }
    }
}
