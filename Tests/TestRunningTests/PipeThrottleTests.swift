import Testing

@testable import TestRunning

@Suite struct PipeThrottleTests {
    /// The rest after each reading of so many bytes, in microseconds.
    private func rests(_ counts: [Int], capacity: Int = 1 << 20) -> [Int?] {
        var throttle = PipeThrottle(capacity: capacity)
        return counts.map { count in
            throttle.take(count, afterRestCutShort: false)
            return throttle.rest.map { Int($0 / .microseconds(1)) }
        }
    }

    @Test func `lines are let gather for longer and longer, and the first byte is waited for`() {
        #expect(PipeThrottle(capacity: 1 << 20).rest == nil)
        #expect(rests([0, 1, 100, 0, 0, 100]) == [nil, 1000, 2000, nil, nil, 4000])
        #expect(rests(Array(repeating: 100, count: 9)).suffix(3) == [64_000, 100_000, 100_000])
    }

    @Test func `a flood is read soon, and as long as it lasts`() {
        let gathering = PipeThrottle.gathering
        let lines = Array(repeating: 100, count: 8)
        #expect(
            rests(lines + [gathering + 1, gathering, gathering / 2, gathering / 2 - 1]).suffix(5)
                == [100_000, 500, 500, 500, 1000])
    }

    @Test func `a rest cut short says nothing of the flow, unless it was a flood`() {
        var throttle = PipeThrottle(capacity: 1 << 20)
        for _ in 0..<3 { throttle.take(100, afterRestCutShort: false) }
        for count in [100, 0] { throttle.take(count, afterRestCutShort: true) }
        #expect(throttle.rest == .milliseconds(4))
        throttle.take(PipeThrottle.gathering + 1, afterRestCutShort: true)
        #expect(throttle.rest == .microseconds(500))
    }

    @Test func `a short pipe is read at once`() {
        #expect(rests([100], capacity: 2 * PipeThrottle.gathering) == [1000])
        #expect(rests([100], capacity: 2 * PipeThrottle.gathering - 1) == [nil])
        #expect(rests([100 << 20, 1], capacity: 64 << 10) == [nil, nil])
        #expect(rests([100 << 20], capacity: -1) == [nil])
    }
}
