/// Deals pieces of work to hands so that all hands end at about the same time.
public enum LongestFirst {
    /// The hand of each piece, counted from 0: the longest piece first, each to the hand that has least to do.
    ///
    /// Of pieces that take as long the one that stands first is dealt first, so that the answer depends on nothing but the
    /// arguments.
    public static func deal(_ durations: [Duration], over hands: Int) -> [Int] {
        let order = durations.indices.sorted { left, right in
            durations[left] == durations[right] ? left < right : durations[left] > durations[right]
        }
        var loads = Array(repeating: Duration.zero, count: max(1, hands))
        var dealt = Array(repeating: 0, count: durations.count)
        for piece in order {
            let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[least] += durations[piece]
            dealt[piece] = least
        }
        return dealt
    }
}

extension [TestID: Duration] {
    /// The middle of the durations that are known of tests: what a test counts of which none is; `nil` if none is at all.
    public func middle(of tests: [TestID]) -> Duration? {
        let known = tests.compactMap { self[$0] }.sorted()
        return known.isEmpty ? nil : known[(known.count - 1) / 2]
    }
}
