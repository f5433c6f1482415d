import RunModel
import Testing

@Suite struct LongestFirstTests {
    private func loads(_ durations: [Int], over workers: Int) -> [Int] {
        let assigned = LongestFirst.assign(durations.map { .seconds($0) }, toWorkers: workers)
        return (0..<workers).map { worker in zip(durations, assigned).reduce(0) { $0 + ($1.1 == worker ? $1.0 : 0) } }
    }

    @Test func `the longest piece goes first, each to the worker that has least to do`() {
        #expect(LongestFirst.assign([3, 10, 4, 3].map { .seconds($0) }, toWorkers: 2) == [1, 0, 1, 1])
        #expect(LongestFirst.assign([5, 5, 5].map { .seconds($0) }, toWorkers: 2) == [0, 1, 0])
    }

    @Test func `no worker has more than the rest by more than its last piece`() {
        let durations = (0..<200).map { $0 * $0 % 97 + 1 }
        for workers in 1...7 {
            let loads = loads(durations, over: workers)
            #expect(loads.reduce(0, +) == durations.reduce(0, +))
            #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= 97)
        }
    }

    @Test func `nothing is assigned as nothing, and more workers than pieces stay empty`() {
        #expect(LongestFirst.assign([], toWorkers: 3) == [])
        #expect(LongestFirst.assign([.seconds(1), .seconds(2)], toWorkers: 4) == [1, 0])
    }

    @Test func `the median is of those that are known`() {
        let tests = ["a", "b", "c", "d"].map { TestID(module: "M", suite: "", name: $0) }
        let durations: [TestID: Duration] = [tests[0]: .seconds(9), tests[2]: .seconds(1), tests[3]: .seconds(2)]
        #expect(durations.median(of: tests) == .seconds(2))
        #expect(durations.median(of: [tests[1]]) == nil)
    }
}
