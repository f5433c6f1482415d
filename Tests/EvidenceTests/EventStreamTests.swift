import Testing

@testable import Evidence
@testable import TestResults

@Suite struct EventStreamTests {
    @Test(.timeLimit(.minutes(1)))
    func `many thousands of arguments are read in time, each once and in order`() throws {
        let id = "M.S/f(n:)/F.swift:1:2"
        let arguments = (0..<30_000).map { "n → \($0)" }
        let test =
            #"{"kind":"test","payload":{"kind":"function","id":"\#(id)","isParameterized":true},"version":"6.3.0"}"#
        let started = arguments.map { argument -> String in
            #"{"kind":"event","payload":{"kind":"testCaseStarted","testID":"\#(id)","#
                + #""_testCase":{"displayName":"\#(argument)"}},"version":"6.3.0"}"#
        }
        let lines: [String] = [test] + started + started.suffix(10)
        let stream = try EventStream.read(Array((lines.joined(separator: "\n") + "\n").utf8), file: "e")
        #expect(stream.functions.map(\.arguments) == [arguments])
    }

    @Test func `a test has the display names of its suites, in any order of the records`() throws {
        func record(_ kind: String, _ id: String, _ name: String?) -> String {
            let displayName = name.map { #","displayName":"\#($0)""# } ?? ""
            return #"{"kind":"test","payload":{"kind":"\#(kind)","id":"\#(id)"\#(displayName)},"version":"6.3.0"}"#
        }
        let lines = [
            record("function", "M.Outer/Inner/f()/F.swift:1:2", nil), record("suite", "M.Outer/Inner", nil),
            record("suite", "M.Outer", "the parser"), record("suite", "N.Outer", "another"),
            record("function", "M.Outer/g()/F.swift:2:2", "counts"), record("function", "M.h()/F.swift:3:2", nil),
            record("function", "M.Outer2/i()/F.swift:4:2", nil),
        ]
        let stream = try EventStream.read(Array((lines.joined(separator: "\n") + "\n").utf8), file: "e")
        #expect(stream.functions.map(\.suiteDisplayName) == ["the parser/Inner", "the parser", nil, nil])
        #expect(stream.functions.map(\.displayName) == [nil, "counts", nil, nil])
    }

    @Test func `a test has its tags, where the stream tells them`() throws {
        let lines = [
            #"{"kind":"test","payload":{"kind":"suite","id":"M.S","_tags":[".ofSuite"]},"version":"6.3.0"}"#,
            #"{"kind":"test","payload":{"kind":"function","id":"M.S/f()/F.swift:1:2","_tags":[".slow",".Net.http"]},"#
                + #""version":"6.3.0"}"#,
            #"{"kind":"test","payload":{"kind":"function","id":"M.S/g()/F.swift:2:2"},"version":"6.3.0"}"#,
        ]
        let stream = try EventStream.read(Array((lines.joined(separator: "\n") + "\n").utf8), file: "e")
        #expect(stream.functions.map(\.tags) == [[".slow", ".Net.http"], []])
        let wrong = #"{"kind":"test","payload":{"kind":"function","id":"M.f()","_tags":[1]},"version":"6.3.0"}"#
        #expect(throws: EvidenceError.self) { try EventStream.read(Array((wrong + "\n").utf8), file: "e") }
    }
}
