import RunModel

/// What all shards of one run have in common; whatever has not belongs to another run.
struct ShardConsistency {
    private let shards: [ShardRun]
    /// The shard that most of the others are shards of the same run with; of several the first.
    let reference: ShardRun

    /// How many differences are named.
    private static let most = 5

    /// Compares the shards; there is at least one.
    init?(_ shards: [ShardRun]) {
        self.shards = shards
        let kin = shards.map { one in shards.count { Self.differences(of: $0, from: one).isEmpty } }
        guard let most = kin.max(), let place = kin.firstIndex(of: most) else { return nil }
        reference = shards[place]
    }

    /// Why a shard is none of the reference's run; empty when it is one.
    func differences(of shard: ShardRun) -> [String] {
        let found = Self.differences(of: shard, from: reference)
        let rest = found.count - Self.most
        return found.prefix(Self.most) + (rest > 0 ? [Figures.counted(rest, "more difference")] : [])
    }

    /// The shard whose policy, base and comparison the merged run has: of those that are shards of one run the first that knew a
    /// run of the base, since rules that compare with one judge more than without.
    var judged: ShardRun {
        let kin = shards.filter { differences(of: $0).isEmpty }
        return kin.first { $0.facts.knowsBaseRun } ?? kin.first ?? reference
    }

    private static func differences(of one: ShardRun, from other: ShardRun) -> [String] {
        var found = one.facts.differences(from: other.facts)
        // A failed build may have ended before anybody knew, and nothing gets greener by that.
        if !one.run.buildFailed { found += one.facts.unknown }
        if let mine = one.listed, let theirs = other.listed, mine != theirs {
            let (only, missing) = (mine.count { theirs[$0.key] == nil }, theirs.count { mine[$0.key] == nil })
            found.append("another list of tests (\(only) more, \(missing) fewer)")
        }
        return found
    }
}
