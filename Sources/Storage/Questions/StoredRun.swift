public import Gate
public import RunModel

/// A stored run with its verdict.
public struct StoredRun: Sendable, Hashable {
    /// The run. The output of tests is only in the run directory.
    public var run: TestRun
    /// The verdict, with its policy.
    public var verdict: Verdict
    /// The folder of the evidence when the run was stored.
    public var runDirectory: String?
    /// Whether lines have their execution counts; otherwise an executed line has the count 1.
    ///
    /// Counts are kept for the newest run of a project, the states of lines for all.
    public var hasExecutionCounts: Bool
}
