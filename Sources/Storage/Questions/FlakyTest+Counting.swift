import RunModel

extension FlakyTest {
    /// Whether it is flaky: it both failed and passed on a tree, or its outcome changed more often on a branch than a fault and its fix
    /// explain.
    var isSuspect: Bool { disagreements > 0 || flips > 2 }

    /// The order of lists: more disagreements first, then more flips, then more failures.
    func precedes(_ other: FlakyTest) -> Bool {
        let (mine, theirs) = (
            (disagreements, flips, failures + recoveries),
            (other.disagreements, other.flips, other.failures + other.recoveries)
        )
        return mine == theirs ? id < other.id : mine > theirs
    }
}

/// What matters of one execution of a test for flakiness.
struct FlakyExecution {
    let run: RunID
    let branch: Name?
    /// `nil` if the files differed from the commit, or outside of git.
    let tree: String?
    let isFailure: Bool
    /// Whether an attempt of it failed.
    let hasFailedAttempt: Bool
}

extension FlakyTest {
    /// Counts the signs of flakiness in the executions of a test, the oldest first.
    init(_ id: TestID, _ executions: [FlakyExecution]) {
        self.init(id: id)
        var trees: [String: (passed: Bool, failed: Bool)] = [:]
        var branches: [Name?: (isFailure: Bool, flips: Int)] = [:]
        for execution in executions {
            let isRecovered = !execution.isFailure && execution.hasFailedAttempt
            self.executions += 1
            failures += execution.isFailure ? 1 : 0
            recoveries += isRecovered ? 1 : 0
            if execution.isFailure || isRecovered { lastFailure = execution.run }
            guard let tree = execution.tree else {
                // The tree is unknown, but both attempts ran on it.
                disagreements += isRecovered ? 1 : 0
                continue
            }
            trees[tree, default: (false, false)].passed = trees[tree]?.passed == true || !execution.isFailure
            trees[tree, default: (false, false)].failed =
                trees[tree]?.failed == true || execution.isFailure || isRecovered
            let before = branches[execution.branch] ?? (execution.isFailure, 0)
            let isFlip = before.isFailure != execution.isFailure
            branches[execution.branch] = (execution.isFailure, before.flips + (isFlip ? 1 : 0))
        }
        flips = branches.values.map(\.flips).max() ?? 0
        disagreements += trees.values.count { $0.passed && $0.failed }
    }
}
