import Testing

@testable import TestRunning

@Suite struct ReadingPaceTests {
    /// The pause after each look, having read so much before it.
    private func pauses(_ counts: [Int], capacity: Int = 1 << 20) -> [UInt32?] {
        var pace = ReadingPace(capacity: capacity)
        return counts.map { count in
            pace.take(count / 2)
            pace.take(count - count / 2)
            pace.look()
            return pace.pause
        }
    }

    @Test func `a flood is let gather, and what comes after it is not`() {
        #expect(ReadingPace(capacity: 1 << 20).pause == nil)
        let flood = ReadingPace.flood
        #expect(pauses([0, flood - 1, flood, 3 * flood, 100, flood]) == [nil, nil, 500, 500, nil, 500])
    }

    @Test func `a short pipe is read at once`() {
        #expect(pauses([100 << 20], capacity: 64 << 10) == [nil])
        #expect(pauses([100 << 20], capacity: -1) == [nil])
    }
}
