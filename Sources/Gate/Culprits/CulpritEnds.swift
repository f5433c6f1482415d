import RunModel

/// How a test ended in stored runs of one tree.
public struct TreeOutcomes: Sendable, Hashable {
    /// In how many it failed.
    public var failures: Int
    /// In how many it passed.
    public var passes: Int

    package init(failures: Int = 0, passes: Int = 0) { (self.failures, self.passes) = (failures, passes) }

    /// Adds those of another run.
    public static func + (left: TreeOutcomes, right: TreeOutcomes) -> TreeOutcomes {
        TreeOutcomes(failures: left.failures + right.failures, passes: left.passes + right.passes)
    }
}

/// Between which commits of a line a test was broken, by stored runs.
public enum CulpritEnds: Sendable, Hashable {
    /// The test passed at the one place, and failed at the other and wherever it ran between them.
    case found(good: Int, bad: Int)
    /// It passed in the newest run that is stored, which is of the commit at a place.
    case passes(at: Int)
    /// It failed, at a place and before, and no run is stored in which it passed.
    case neverPassed(bad: Int)
    /// No run of any of the commits is stored that executed it.
    case unknown

    /// Looks for the ends.
    ///
    /// The bad end is the newest commit on which it failed, not the first one: in between the search knows what happened, and a
    /// failure by chance does not mislead it.
    ///
    /// - Parameter outcomes: How the test ended on each commit of the line, the newest first; `nil` where it did not run.
    public init(newestFirst outcomes: [TreeOutcomes?]) {
        var bad: Int?
        for (place, outcome) in outcomes.enumerated() {
            guard let outcome, outcome.failures + outcome.passes > 0 else { continue }
            if let bad {
                // A commit on which it did both is passed over.
                guard outcome.failures == 0 else { continue }
                self = .found(good: place, bad: bad)
                return
            }
            guard outcome.failures > 0 else {
                self = .passes(at: place)
                return
            }
            bad = place
        }
        self = bad.map { CulpritEnds.neverPassed(bad: $0) } ?? .unknown
    }
}
