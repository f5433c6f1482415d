import RunModel
import Testing

@testable import CodeCoverage
@testable import Evidence

@Suite struct LentLinesTests {
    private func lines(_ bytes: [UInt8], longest: Int) -> [(text: String, hasNewline: Bool)] {
        var lines: [(String, Bool)] = []
        bytes.lent { document in
            document.forEachLine(longest: longest) { lines.append(($0.text, $1)) }
        }
        return lines
    }

    @Test(arguments: ["", "\n", "\n\n", "a", "a\n", "\na", "a\n\nb", "a\r\nb\n", "\u{0}\n\u{301}\n"])
    func `lines are what a split at every newline gives, and say whether they have one`(text: String) {
        let bytes = Array(text.utf8)
        let found = lines(bytes, longest: 1 << 20)
        #expect(found.map { Array($0.text.utf8) + ($0.hasNewline ? [0x0A] : []) }.flatMap { $0 } == bytes)
        #expect(found.allSatisfy { !$0.text.utf8.contains(0x0A) })
        #expect(found.count { $0.hasNewline } == bytes.count { $0 == 0x0A })
    }

    @Test func `a long line comes in pieces, and its end in one`() {
        let found = lines(Array("0123456789abcdef\nx\n".utf8), longest: 4)
        #expect(found.map(\.text) == ["0123", "4567", "89abcdef", "x"])
        #expect(found.map(\.hasNewline) == [false, false, true, true])
        #expect(lines(Array("0123456789".utf8), longest: 4).map(\.text) == ["0123", "456789"])
    }

    @Test func `the memory of what was read is given back`() {
        let bytes = [UInt8](repeating: 0x0A, count: 3 << 20)
        var released: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            LentBytes(bytes, release: { released.append($0) }).forEachLine { _, _ in }
        }
        #expect(released == [1 << 20, 2 << 20, 3 << 20])
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
            file: "t", line: 1001, column: 1, reason: "a line outside of the record of a file")
        #expect(throws: malformed) { try LCOVReader.read(ForeignReport(path: "t", bytes: empty + Array("DA:1".utf8))) }
    }
}
