public import RunModel

/// A test that does not always end in the same way, and the signs of it.
public struct FlakyTest: Sendable, Hashable {
    /// Which test.
    public var id: TestID
    /// On how many trees it both failed and passed, in one run or in several: the proof that it is flaky.
    public var disagreements: Int
    /// How often its outcome changed from one run of a branch to the next; runs of changed working copies do not count.
    public var flips: Int
    /// In how many runs it failed in the end.
    public var failures: Int
    /// In how many runs it failed and then passed.
    public var recoveries: Int
    /// In how many runs it was executed.
    public var executions: Int
    /// The last run in which it failed, in the end or at first.
    public var lastFailure: RunID?

    /// Makes an entry from its parts.
    public init(
        id: TestID,
        disagreements: Int = 0,
        flips: Int = 0,
        failures: Int = 0,
        recoveries: Int = 0,
        executions: Int = 0,
        lastFailure: RunID? = nil
    ) {
        self.id = id
        self.disagreements = disagreements
        self.flips = flips
        self.failures = failures
        self.recoveries = recoveries
        self.executions = executions
        self.lastFailure = lastFailure
    }

    /// Whether the signs are enough: a tree on which it did both, or one change too many to be a fault and its repair.
    var isSuspect: Bool { disagreements > 0 || flips > 2 }

    /// Whether it comes before another: more disagreements first, then more flips, then more failures.
    func precedes(_ other: FlakyTest) -> Bool {
        let (mine, theirs) = (
            (disagreements, flips, failures + recoveries),
            (other.disagreements, other.flips, other.failures + other.recoveries)
        )
        return mine == theirs ? id < other.id : mine > theirs
    }
}

/// One execution of a test in the order of runs, as far as flakiness goes.
struct FlakyExecution {
    let run: RunID
    /// The bytes of the branch's name.
    let branch: [UInt8]?
    /// `nil` where the files differed from every commit, or outside of git.
    let tree: String?
    let isFailure: Bool
    /// Whether an attempt of it failed.
    let hasFailedAttempt: Bool
}

extension FlakyTest {
    /// Reads the signs from the executions of a test, the oldest first.
    init(_ id: TestID, _ executions: [FlakyExecution]) {
        self.init(id: id)
        var trees: [String: (passed: Bool, failed: Bool)] = [:]
        var last: [[UInt8]?: Bool] = [:]
        for execution in executions {
            let isRecovered = !execution.isFailure && execution.hasFailedAttempt
            self.executions += 1
            failures += execution.isFailure ? 1 : 0
            recoveries += isRecovered ? 1 : 0
            if execution.isFailure || isRecovered { lastFailure = execution.run }
            guard let tree = execution.tree else {
                // Nobody knows the tree, but both attempts were on it.
                disagreements += isRecovered ? 1 : 0
                continue
            }
            trees[tree, default: (false, false)].passed = trees[tree]?.passed == true || !execution.isFailure
            trees[tree, default: (false, false)].failed =
                trees[tree]?.failed == true || execution.isFailure || isRecovered
            if let before = last[execution.branch], before != execution.isFailure { flips += 1 }
            last[execution.branch] = execution.isFailure
        }
        disagreements += trees.values.count { $0.passed && $0.failed }
    }
}
