import RunModel
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct TranscriptTests {
    @Test(arguments: [
        "crash-xct-CrashFatalTests-noparallel", "print-noparallel", "xctest-observer-ldpreload", "crash-st-CrashSuite",
    ])
    func `a log cut at any byte is read`(name: String) throws {
        let bytes = try Fixture.recorded("\(name)/stdout.txt")
        let whole = Transcript.read(bytes, known: nil).executions.count
        for length in stride(from: 0, to: bytes.count, by: name.hasPrefix("print") ? 997 : 13) {
            #expect(Transcript.read(Array(bytes[..<length]), known: nil).executions.count <= whole)
        }
    }

    @Test func `bytes that are no text are output like any other`() {
        let log: [UInt8] =
            Array("Test Case 'A.t' started at 2026-11-20 22:20:14.396\n".utf8) + [0x00, 0xFF, 0x1B]
            + Array("Test Case 'A.t' passed (0.5 seconds)\n".utf8)
        #expect(
            Transcript.read(log, known: nil).executions == [
                Transcript.Execution(
                    name: "A.t", output: "\0\u{FFFD}\u{1B}",
                    end: Transcript.End(outcome: .passed, duration: .milliseconds(500))
                )
            ]
        )
    }

    @Test func `long output keeps its head and its tail, both whole characters`() throws {
        var text = HeadAndTail()
        for _ in 0..<100_000 { text.append("カ".utf8) }
        let lines = text.text().split(separator: "\n")
        #expect(lines.map { $0.utf8.count } == [65_535, 31, 65_535])
        #expect(lines[1] == "[… 168930 bytes left out …]")
        #expect(!text.text().contains("\u{FFFD}"))
    }

    @Test func `the signal is read from what SwiftPM says`() {
        let log = "error: Process '/b/X.xctest A.B/c' exited with unexpected signal code 11\n"
        #expect(Transcript.read(Array(log.utf8), known: nil).signal == 11)
    }

    /// The report of a crash goes to the standard error, the marks of tests to the standard output; on a busy machine
    /// SwiftPM's reader of the one may be behind that of the other. The report names what prints a fatal error.
    @Test(arguments: [
        (["A.a+", "A.a-", "A.b+", "F", "S", "C"], true), (["A.a+", "F", "S", "A.a-", "A.b+", "C"], true),
        (["F", "S", "A.a+", "A.a-", "A.b+", "C"], true), (["A.a+", "F", "A.a-", "A.b+", "S", "C"], false),
        (["A.a+", "F", "A.a-", "A.b+", "C"], false), (["A.b+", "F", "C"], true),
        (["A.a+", "F", "A.a-", "A.b+", "S", "C", "T"], true), (["A.a+", "F", "A.a-", "A.b+", "S", "C", "O"], false),
    ])
    func `a fatal error belongs to the report that begins behind it`(order: [String], isOwn: Bool) {
        func frame(_ text: String) -> String {
            "\nThread 0 \"AppTests\" crashed:\n\n  0               0x00007f36792f9361 \(text)\n\n"
        }
        let lines = order.map { part in
            switch part {
            case "F": "F/F.swift:10: Fatal error: down it goes\n"
            case "S": "*** Signal 4: Backtracing from 0x7f36792f9361..."
            case "C": "\n*** Program crashed: Illegal instruction at 0x00007f36792f9361 ***\n"
            case "T": frame("_assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so")
            case "O": frame("AppTests.testB() + 95 in AppTests.xctest at /a/AppTests.swift:10:9")
            case let mark where mark.hasSuffix("+"):
                "Test Case '\(mark.dropLast())' started at 2026-11-22 08:35:42.172\n"
            case let mark: "Test Case '\(mark.dropLast())' passed (0.001 seconds)\n"
            }
        }
        let transcript = Transcript.read(Array(lines.joined().utf8), known: nil)
        #expect(transcript.crashes.map(\.message) == [isOwn ? "Fatal error: down it goes" : nil])
        #expect(transcript.executions[transcript.crashes[0].execution ?? 0].name == "A.b")
    }

    @Test(arguments: [
        ("M.f()/F.swift:1:2", TestID(module: "M", suite: "", name: "f()"), "F.swift"),
        ("M.S/T/f(n:)/F.swift:1:2", TestID(module: "M", suite: "S/T", name: "f(n:)"), "F.swift"),
        ("M.`a. b/c`/`d/e.f`()/F.swift:1:2", TestID(module: "M", suite: "`a. b/c`", name: "`d/e.f`()"), "F.swift"),
    ])
    func `an event's identity is taken apart`(text: String, id: TestID, file: String) {
        let event = EventTestID(function: text)
        #expect(event.test == id)
        #expect(event.file == file)
    }
}
