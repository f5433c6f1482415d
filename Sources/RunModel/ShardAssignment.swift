/// Which shard runs which test. The result depends only on the arguments, so that every machine computes the same
/// split.
public enum ShardAssignment: Sendable, Hashable {
    /// By a hash of the test's identity: a test stays in its shard when other tests are added or removed.
    case byHash
    /// So that all shards take about the same time, by earlier durations; by hash if no duration is known.
    case byDurations([TestID: Duration])

    /// The tests of one shard, in the given order.
    public func tests(of shard: Shard, among tests: [TestID]) -> [TestID] {
        switch self {
        case .byDurations(let durations) where tests.contains { durations[$0] != nil }:
            let split = Self.balanced(tests, durations, count: shard.count)
            return tests.filter { split[$0] == shard.index }
        case .byHash, .byDurations:
            return tests.filter { Self.index(of: $0, count: shard.count) == shard.index }
        }
    }

    /// The shard of a test by its hash, counted from 1.
    ///
    /// FNV-1a of 64 bits over module, suite, name and discriminator in UTF-8, each followed by a zero byte, then the
    /// finalizer of MurmurHash3, modulo the number of shards.
    static func index(of test: TestID, count: Int) -> Int {
        var stable = StableHash()
        for part in [test.module, test.suite, test.name, test.discriminator] {
            stable.combine(part.utf8)
            stable.combine([0])
        }
        var hash = stable.value
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Int(hash % UInt64(count)) + 1
    }

    /// The longest test first, each to the shard with the least work. A test without a duration counts as the median
    /// of the others.
    private static func balanced(
        _ tests: [TestID], _ durations: [TestID: Duration], count: Int
    ) -> [TestID: Int] {
        let median = durations.median(of: tests) ?? .zero
        let order = Set(tests).sorted()
        let split = LongestFirst.assign(order.map { durations[$0] ?? median }, toWorkers: count)
        return Dictionary(uniqueKeysWithValues: zip(order, split.map { $0 + 1 }))
    }
}
