import RunModel
import Testing

@Suite struct SelectionTests {
    @Test func `a shard is counted from 1`() {
        #expect(Shard(index: 0, count: 3) == nil)
        #expect(Shard(index: 4, count: 3) == nil)
        #expect(Shard(index: 1, count: 0) == nil)
        #expect(Shard(index: 3, count: 3)?.description == "3/3")
    }

    @Test func `everything but a target switched off makes a run partial`() {
        #expect(!Selection().isPartial)
        #expect(!Selection(disabledTargets: ["SlowTests"]).isPartial)
        #expect(Selection(filters: ["a"]).isPartial)
        #expect(Selection(skips: ["a"]).isPartial)
        #expect(Selection(shard: Shard(index: 1, count: 1)).isPartial)
        #expect(Selection(rerunOf: RunID(milliseconds: 1, random: (2, 3))).isPartial)
    }
}
