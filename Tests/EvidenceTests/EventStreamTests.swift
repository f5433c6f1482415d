import Testing

@testable import Evidence

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
}
