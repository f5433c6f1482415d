import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence

@Suite struct TestMapLinesTests {
    @Test func `a map is read as it was written`() throws {
        let map = SampleMaps.map
        #expect(try TestMap(lines: map.lines, file: "map") == map)
    }

    @Test func `the form is stable`() {
        let text = String(decoding: SampleMaps.map.lines, as: UTF8.self)
        #expect(text.contains(#"{"test":["CoreTests","A","one",""],"microseconds":2500}"#))
        #expect(text.contains(#"{"set":"0 2"}"#))
        #expect(text.contains(#"{"set":"0-2","others":true}"#))
        #expect(text.contains(#""line":3,"lastLine":9,"set":0,"lines":"3-5:0 7:1"}"#))
    }

    @Test func `a map cut at any byte is an error`() throws {
        let lines = SampleMaps.map.lines
        let newline = UInt8(ascii: "\n")
        // A map that ends with a line is another map; that it is not the one that was written tells its checksum.
        for count in lines.indices where lines[count] != newline && (count == 0 || lines[count - 1] != newline) {
            #expect(throws: EvidenceError.self) { try TestMap(lines: Array(lines[..<count]), file: "map") }
        }
        #expect(throws: EvidenceError.self) { try TestMap(lines: [], file: "map") }
    }

    @Test(arguments: [
        #"{"version":2}"#, #"{"test":["a","b","c","d"]}"#, "{\"version\":1}\n{\"test\":[\"a\"]}",
        "{\"version\":1}\n{\"set\":\"0\"}", "{\"version\":1}\n{\"set\":\"x\"}", "{\"version\":1}\n{\"other\":1}",
        "{\"version\":1}\n{\"test\":[\"a\",\"b\",\"c\",\"d\"],\"microseconds\":-1}",
        "{\"version\":1}\n{\"test\":[\"a\",\"b\",\"c\",\"d\"],\"microseconds\":9999999999999999}",
        "{\"version\":1}\n{\"file\":\"b\"}\n{\"file\":\"a\"}",
        "{\"version\":1}\n{\"function\":\"f\",\"line\":1,\"lastLine\":1,\"set\":0,\"lines\":\"\"}",
        "{\"version\":1}\n{\"set\":\"\"}\n{\"file\":\"a\"}\n{\"function\":\"f\",\"line\":2,\"lastLine\":1,\"set\":0,\"lines\":\"\"}",
        "{\"version\":1}\n{\"set\":\"\"}\n{\"file\":\"a\"}\n{\"function\":\"f\",\"line\":1,\"lastLine\":1,\"set\":0,\"lines\":\"1:7\"}",
        "{\"version\":1}\n{\"set\":\"\"}\n{\"file\":\"a\"}\n{\"function\":\"f\",\"line\":1,\"lastLine\":9,\"set\":0,\"lines\":\"3:0 2:0\"}",
        "{\"version\":1}\n{\"set\":\"\"}\n{\"file\":\"a\"}\n{\"function\":\"f\",\"line\":1,\"lastLine\":9,\"set\":0,\"lines\":\"1-9999999999:0\"}",
    ])
    func `what is no map is refused, with its line`(text: String) {
        #expect(throws: EvidenceError.self) { try TestMap(lines: Array("\(text)\n".utf8), file: "map") }
    }
}
