import RunModel

extension FlakyTest {
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
