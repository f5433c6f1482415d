import RunModel
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct JSONCursorTests {
    private func check(_ text: String) throws(JSONFault) { try check(Array(text.utf8)) }

    private func check(_ bytes: [UInt8]) throws(JSONFault) {
        try bytes.withJSONCursor { cursor throws(JSONFault) in
            try cursor.skip()
            try cursor.end()
        }
    }

    private func isAccepted(_ text: String) -> Bool {
        do { try check(text) } catch { return false }
        return true
    }

    private func string(_ text: String) throws(JSONFault) -> String {
        try Array(text.utf8).withJSONCursor { cursor throws(JSONFault) in try cursor.string() }
    }

    @Test(arguments: [
        "{}", "[]", "0", "-0", "1.5e+3", "\"\"", "true", "null", " [ 1 , {\"a\" : [ ] } ] ", "{\"a\":1,\"b\":2}",
        #""\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t""#,
    ])
    func `well-formed JSON is accepted`(text: String) throws { try check(text) }

    @Test(arguments: [
        "", "{", "[", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "01", "1.", ".5", "+1", "-", "1e", "tru", "nul", "\"",
        "\"\\x\"", "\"\\u12\"", "\"\t\"", "[1 2]", "'a'", "NaN", "1 2", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}",
        "/* */1", "\u{FEFF}1", "\"\\\"",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: JSONFault.self) { try check(text) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22],
            [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D],
        ] as [[UInt8]])
    func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: JSONFault.self) { try check(bytes) }
    }

    @Test(arguments: [(32, true), (33, false), (100_000, false)])
    func `values nest at most 32 deep`(depth: Int, isAllowed: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(isAccepted(text) == isAllowed)
    }

    @Test func `escapes are resolved, and half a surrogate is no character`() throws {
        #expect(try string(#""a\u0000\ud83d\ude00\u30ab""#) == "a\0😀カ")
        #expect(try string(#""\ud83d""#) == "\u{FFFD}")
        #expect(try string(#""\ude00\ud83dx""#) == "\u{FFFD}\u{FFFD}x")
    }

    @Test func `streams and records with more than is read are refused`() throws {
        let stream = try Fixture.recorded("fail-swifttesting-clean/events.jsonl")
        func isStream(_ limit: Int) -> Bool {
            let read = try? stream.lent { document throws(EvidenceError) in
                try EventStream.read(document, file: "e", budget: EvidenceBudget(limit))
            }
            return read != nil
        }
        #expect(!isStream(0) && !isStream(1_000) && isStream(1_000_000))
        let start = #"{"ev":"start","cls":"M.A","name":"a"}"# + "\n"
        func isRecords(_ limit: Int) -> Bool {
            let read = try? Array((start + start).utf8).lent { document throws(EvidenceError) in
                try ObserverRecords.read(document, file: "o", budget: EvidenceBudget(limit))
            }
            return read != nil
        }
        #expect(!isRecords(1_000) && isRecords(2_000))
    }

    /// The last lines of a recording, few enough to be cut at each of their bytes.
    private func lastLines(_ count: Int, _ name: String) throws -> [UInt8] {
        let lines = try Fixture.recorded(name).split(separator: 0x0A)
        return Array(lines.suffix(count).joined(separator: [0x0A])) + [0x0A]
    }

    @Test func `a stream cut at any byte is read to its last whole record`() throws {
        let bytes = try lastLines(4, "fail-swifttesting-clean/events.jsonl")
        #expect(try EventStream.read(bytes, file: "e").hasEnded)
        for length in 0..<bytes.count - 1 {
            let cut = try EventStream.read(Array(bytes[..<length]), file: "e")
            #expect(!cut.hasEnded)
            #expect(cut.isTruncated == (length > 0 && bytes[length - 1] != 0x0A && bytes[length] != 0x0A))
        }
    }

    @Test func `records cut at any byte are read to the last whole one`() throws {
        let bytes = try lastLines(8, "xctest-observer-ldpreload/xct.jsonl")
        #expect(try ObserverRecords.read(bytes, file: "o").bundles.ended == 1)
        for length in 0..<bytes.count - 1 {
            #expect(try ObserverRecords.read(Array(bytes[..<length]), file: "o").bundles.ended == 0)
        }
    }

    @Test(arguments: [
        #"{"tests":[{"name":"debug.xctest","tests":[]}],"name":"All tests"}"#,
        #"{"name":"All tests","tests":[{"tests":[],"name":"debug.xctest"}]}"#,
        #"loaded {"name":"of a log"} {"tests":"# + #"[],"name":"All tests"}"#,
    ])
    func `a list may be empty, its keys in any order, and something may be printed before it`(text: String) throws {
        #expect(try XCTestList.read(Array(text.utf8), file: "l") == XCTestList())
    }

    @Test func `a list cut at any byte is refused`() throws {
        let recorded = try Fixture.recorded("direct-xctest-dump-json/stdout.txt")
        #expect(try XCTestList.read(recorded, file: "l").tests.count == 59)
        let bytes = RecordedRun.xctestList(("M.A", ["testA", "testB"]), ("M.Outer.B", ["test_異常系"]))
        #expect(
            try XCTestList.read(bytes, file: "l").tests == [
                TestID(module: "M", suite: "A", name: "testA"), TestID(module: "M", suite: "A", name: "testB"),
                TestID(module: "M", suite: "Outer/B", name: "test_異常系"),
            ]
        )
        for length in bytes.indices {
            #expect(throws: EvidenceError.self) { try XCTestList.read(Array(bytes[..<length]), file: "l") }
        }
    }
    @Test func `a list in which something is printed gives way to no part of it`() throws {
        let bytes = RecordedRun.xctestList(("M.A", ["testA", "testB"]), ("M.Outer.B", ["test_異常系"]))
        let whole = try XCTestList.read(bytes, file: "l")
        for place in 0...bytes.count {
            let printed = Array(bytes[..<place]) + Array("\nloaded\n".utf8) + Array(bytes[place...])
            let isOutside = place == 0 || place == bytes.count
            #expect((try? XCTestList.read(printed, file: "l")) == (isOutside ? whole : nil), "at \(place)")
        }
    }
}
