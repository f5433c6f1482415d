public import Gate
public import RunModel

/// A run as it was stored, with the verdict it was given then.
public struct StoredRun: Sendable, Hashable {
    /// What happened. What tests printed is in the run directory only.
    public var run: TestRun
    /// What the gate said, with the policy it said it by.
    public var verdict: Verdict
    /// Where the evidence was when the run was stored.
    public var runDirectory: String?
    /// Whether lines have their execution counts; otherwise an executed line has the count 1.
    ///
    /// Counts are kept for the newest run of a project, the states of lines for all.
    public var hasExecutionCounts: Bool
}
