public import RunModel

/// What a branch does to the branch that it was made for: its latest full run against that of its base.
public struct BranchChange: Sendable, Hashable {
    /// Tests and modules, from the run of the base to that of the branch.
    public var comparison: RunComparison
    /// How the run covers the lines that changed; `nil` where these are unknown.
    public var lines: ChangeStatus?
    /// What the gate blocks the run for.
    public var violations: [Violation]
    /// Why tests of the run failed; `nil` where none did.
    public var failures: FailureExplanation?
    /// Where the run was made; `nil` if it does not say so.
    public var origin: RunHost?

    /// The pages of the change on the forge of its repository; `nil` where that, or a commit, is unknown.
    ///
    /// The branch itself is not linked: that of a pull request is called otherwise there.
    public var forge: (commit: String?, comparison: String?) {
        guard let head = comparison.after.revision?.commit, let repository = origin?.repository else {
            return (nil, nil)
        }
        let base = comparison.before.revision?.commit
        return (repository.page(ofCommit: head), base.flatMap { repository.page(from: $0, to: head) })
    }

    package init(
        comparison: RunComparison, lines: ChangeStatus? = nil, violations: [Violation] = [],
        failures: FailureExplanation? = nil, origin: RunHost? = nil
    ) {
        self.comparison = comparison
        self.lines = lines
        self.violations = violations
        self.failures = failures
        self.origin = origin
    }
}
