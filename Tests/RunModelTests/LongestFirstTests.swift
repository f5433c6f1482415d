import RunModel
import Testing

@Suite struct LongestFirstTests {
    private func loads(_ durations: [Int], over hands: Int) -> [Int] {
        let dealt = LongestFirst.deal(durations.map { .seconds($0) }, over: hands)
        return (0..<hands).map { hand in zip(durations, dealt).reduce(0) { $0 + ($1.1 == hand ? $1.0 : 0) } }
    }

    @Test func `the longest piece goes first, each to the hand that has least to do`() {
        #expect(LongestFirst.deal([3, 10, 4, 3].map { .seconds($0) }, over: 2) == [1, 0, 1, 1])
        #expect(LongestFirst.deal([5, 5, 5].map { .seconds($0) }, over: 2) == [0, 1, 0])
    }

    @Test func `no hand has more than the rest by more than its last piece`() {
        let durations = (0..<200).map { $0 * $0 % 97 + 1 }
        for hands in 1...7 {
            let loads = loads(durations, over: hands)
            #expect(loads.reduce(0, +) == durations.reduce(0, +))
            #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= 97)
        }
    }

    @Test func `nothing is dealt as nothing, and more hands than pieces stay empty`() {
        #expect(LongestFirst.deal([], over: 3) == [])
        #expect(LongestFirst.deal([.seconds(1), .seconds(2)], over: 4) == [1, 0])
    }

    @Test func `the middle is of those that are known`() {
        let tests = ["a", "b", "c", "d"].map { TestID(module: "M", suite: "", name: $0) }
        let durations: [TestID: Duration] = [tests[0]: .seconds(9), tests[2]: .seconds(1), tests[3]: .seconds(2)]
        #expect(durations.middle(of: tests) == .seconds(2))
        #expect(durations.middle(of: [tests[1]]) == nil)
    }
}
