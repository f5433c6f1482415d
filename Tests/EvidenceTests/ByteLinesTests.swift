import RunModel
import Testing

@testable import Evidence

@Suite struct ByteLinesTests {
    @Test(arguments: ["", "\n", "\n\n", "a", "a\n", "\na", "a\n\nb", "a\r\nb\n", "\u{0}\n\u{301}\n"])
    func `lines are what a split at every newline gives`(text: String) {
        let bytes = Array(text.utf8)
        let expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(Array(ByteLines(bytes)) == expected)
    }

    @Test func `what is read line by line is the same with any number of empty lines`() throws {
        let empty = [UInt8](repeating: 0x0A, count: 1000)
        let names = Array("$s1\ta\n$s2\tb\tc\nno name\n".utf8)
        #expect(FunctionNames(empty + names + empty) == FunctionNames(names))
        let trace = Array("SF:/a.swift\nDA:1,2,abc,d\nDA:2,0\nend_of_record\n".utf8)
        let lines = [LineCount(line: 1, count: ExecutionCount(2)), LineCount(line: 2, count: ExecutionCount(0))]
        for bytes in [trace, empty + trace + empty] {
            #expect(try LCOVReader.read(ForeignReport(path: "t", bytes: bytes)).files.map(\.lines) == [lines])
        }
        let malformed = EvidenceError.malformed(
            file: "t", line: 1001, column: 1, reason: "a line without a number and a count")
        #expect(throws: malformed) { try LCOVReader.read(ForeignReport(path: "t", bytes: empty + Array("DA:1".utf8))) }
    }
}
