import RunModel
import Testing

@Suite struct ShardAssignmentTests {
    private static let tests = (0..<1000).map { TestID(module: "M\($0 % 7)", suite: "S\($0 % 31)", name: "test\($0)") }

    private func shards(
        _ assignment: ShardAssignment, _ count: Int, _ tests: [TestID] = Self.tests
    ) throws -> [[TestID]] {
        try (1...count).map { index in
            assignment.tests(of: try #require(Shard(index: index, count: count)), among: tests)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 16])
    func `every test falls to exactly one shard, and each has its share`(count: Int) throws {
        for assignment in [ShardAssignment.byHash, .byDurations([:]), .byDurations([Self.tests[5]: .seconds(1)])] {
            let split = try shards(assignment, count)
            #expect(split.flatMap { $0 }.count == 1000)
            #expect(Set(split.flatMap { $0 }) == Set(Self.tests))
            let share = 1000 / count
            #expect(split.allSatisfy { $0.count >= share - 60 && $0.count <= share + 60 })
        }
    }

    @Test func `a hash is the same for ever`() throws {
        let tests = [
            TestID(module: "CoreTests", suite: "URLTests", name: "testHost"),
            TestID(module: "CoreTests", suite: "", name: "free()", discriminator: "a.swift"),
            TestID(module: "CoreTests", suite: "Zoo", name: "test\u{E9}"),
            TestID(module: "CoreTests", suite: "Zoo", name: "teste\u{301}"),
        ]
        let indices = try tests.map { test in try #require(try shards(.byHash, 100, [test]).firstIndex(of: [test])) + 1
        }
        #expect(indices == [50, 36, 11, 87])
    }

    @Test func `a test stays in its shard when others come and go`() throws {
        let few = Array(Self.tests.prefix(10))
        let all = try shards(.byHash, 3)
        for (index, shard) in try shards(.byHash, 3, few).enumerated() {
            #expect(Set(shard).isSubset(of: Set(all[index])))
        }
    }

    @Test func `by durations all shards take about as long`() throws {
        let durations = Dictionary(
            uniqueKeysWithValues: Self.tests.enumerated().map { ($1, Duration.milliseconds($0 * $0)) })
        let loads = try shards(.byDurations(durations), 3).map { shard in
            shard.reduce(Duration.zero) { $0 + (durations[$1] ?? .zero) }
        }
        let total = durations.values.reduce(.zero, +)
        #expect(loads.allSatisfy { $0 < total / 3 + .seconds(1) })
    }

    @Test func `the longest test has a shard for itself, and unknown ones count as the middle`() throws {
        let tests = ["a", "b", "c", "d"].map { TestID(module: "M", suite: "", name: $0) }
        let durations: [TestID: Duration] = [tests[0]: .seconds(10), tests[1]: .seconds(4), tests[2]: .seconds(4)]
        #expect(try shards(.byDurations(durations), 2, tests) == [[tests[0]], [tests[1], tests[2], tests[3]]])
    }

    @Test func `the order in which tests are listed says nothing`() throws {
        let durations = Dictionary(uniqueKeysWithValues: Self.tests.map { ($0, Duration.milliseconds(5)) })
        let forward = try shards(.byDurations(durations), 4).map(Set.init)
        #expect(try shards(.byDurations(durations), 4, Self.tests.reversed()).map(Set.init) == forward)
    }
}
