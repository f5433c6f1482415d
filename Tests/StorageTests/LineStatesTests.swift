import RunModel
import Testing

@testable import Storage

@Suite struct LineStatesTests {
    @Test func `two spans take four bytes`() throws {
        let lines = (Int32(3)...10).map { LineCount(line: $0, count: ExecutionCount($0 < 9 ? 7 : 0)) }
        #expect(LineStates.encode(lines) == [2, 6 << 1 | 1, 0, 2 << 1])
        #expect(LineCounts.encode(lines) == [6, 7, 2, 0])
        let states = try LineStates.decode([2, 6 << 1 | 1, 0, 2 << 1])
        #expect(states.map(\.count.raw) == [1, 1, 1, 1, 1, 1, 0, 0])
        #expect(try LineCounts.apply([6, 7, 2, 0], to: states) == lines)
    }

    @Test func `lines that are not ascending have no form`() {
        for numbers in [[0], [-1], [2, 2], [3, 2]] as [[Int32]] {
            #expect(LineStates.encode(numbers.map { LineCount(line: $0, count: ExecutionCount(1)) }) == nil)
        }
        #expect(LineStates.encode([]) == [])
    }

    @Test func `bytes cut short anywhere are refused or shorter`() throws {
        let lines = [1, 2, 300, 301, 70_000, Int32.max].map {
            LineCount(line: $0, count: ExecutionCount($0 == 2 ? 0 : .max - UInt64($0)))
        }
        let states = try #require(LineStates.encode(lines))
        let counts = LineCounts.encode(lines)
        for length in 0..<states.count {
            let read = try? LineStates.decode(Array(states.prefix(length)))
            #expect((read?.count ?? 0) < lines.count)
        }
        for length in 0..<counts.count {
            #expect(throws: UnreadableContent.self) { try LineCounts.apply(Array(counts.prefix(length)), to: lines) }
        }
        #expect(try LineCounts.apply(counts, to: LineStates.decode(states)) == lines)
    }

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 62, UInt64.max])
    func `an integer takes seven bits a byte`(value: UInt64) throws {
        var bytes: [UInt8] = []
        Varint.append(value, to: &bytes)
        #expect(bytes.count == max(1, (64 - value.leadingZeroBitCount + 6) / 7))
        #expect(try Varint.list(bytes) == [value])
    }

    @Test func `an integer of more than 64 bits is refused`() {
        let tooLong = [UInt8](repeating: 0xFF, count: 9) + [0x02]
        #expect(throws: UnreadableContent.self) { try Varint.list(tooLong) }
    }
}
