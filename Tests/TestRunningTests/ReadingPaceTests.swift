import Testing

@testable import TestRunning

@Suite struct ReadingPaceTests {
    /// The rest after each reading of so many bytes, in microseconds.
    private func rests(_ counts: [Int], capacity: Int = 1 << 20) -> [Int?] {
        var pace = ReadingPace(capacity: capacity)
        return counts.map { count in
            pace.take(count, afterRestCutShort: false)
            return pace.rest.map { Int($0 / .microseconds(1)) }
        }
    }

    @Test func `lines are let gather for longer and longer, and the first byte is waited for`() {
        #expect(ReadingPace(capacity: 1 << 20).rest == nil)
        #expect(rests([0, 1, 100, 0, 0, 100]) == [nil, 1000, 2000, nil, nil, 4000])
        #expect(rests(Array(repeating: 100, count: 9)).suffix(3) == [64_000, 100_000, 100_000])
    }

    @Test func `a flood is read soon, and as long as it lasts`() {
        let gathering = ReadingPace.gathering
        let lines = Array(repeating: 100, count: 8)
        #expect(
            rests(lines + [gathering + 1, gathering, gathering / 2, gathering / 2 - 1]).suffix(5)
                == [100_000, 500, 500, 500, 1000])
    }

    @Test func `a rest cut short says nothing of the flow, unless it was a flood`() {
        var pace = ReadingPace(capacity: 1 << 20)
        for _ in 0..<3 { pace.take(100, afterRestCutShort: false) }
        for count in [100, 0] { pace.take(count, afterRestCutShort: true) }
        #expect(pace.rest == .milliseconds(4))
        pace.take(ReadingPace.gathering + 1, afterRestCutShort: true)
        #expect(pace.rest == .microseconds(500))
    }

    @Test func `a short pipe is read at once`() {
        #expect(rests([100], capacity: 2 * ReadingPace.gathering) == [1000])
        #expect(rests([100], capacity: 2 * ReadingPace.gathering - 1) == [nil])
        #expect(rests([100 << 20, 1], capacity: 64 << 10) == [nil, nil])
        #expect(rests([100 << 20], capacity: -1) == [nil])
    }
}
