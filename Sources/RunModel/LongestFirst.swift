/// Assigns pieces of work to workers so that all workers end at about the same time.
public enum LongestFirst {
    /// The worker of each piece, counted from 0: the longest piece first, each to the worker with the least work.
    ///
    /// Of equally long pieces the earlier one comes first, so that the result depends only on the arguments.
    public static func assign(_ durations: [Duration], toWorkers workers: Int) -> [Int] {
        let order = durations.indices.sorted { left, right in
            durations[left] == durations[right] ? left < right : durations[left] > durations[right]
        }
        var loads = Array(repeating: Duration.zero, count: max(1, workers))
        var assigned = Array(repeating: 0, count: durations.count)
        for piece in order {
            let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[least] += durations[piece]
            assigned[piece] = least
        }
        return assigned
    }
}

extension [TestID: Duration] {
    /// The median of the known durations of tests, which a test without a duration counts as; `nil` if no duration is
    /// known.
    public func median(of tests: [TestID]) -> Duration? {
        let known = tests.compactMap { self[$0] }.sorted()
        return known.isEmpty ? nil : known[(known.count - 1) / 2]
    }
}
