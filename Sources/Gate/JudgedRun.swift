public import RunModel

/// A run and what the gate said of it.
public struct JudgedRun: Sendable, Hashable {
    /// What happened. Out of a store it is without what tests printed, which is in the run directory only.
    public var run: TestRun
    /// What the gate said, with the policy it said it by.
    public var verdict: Verdict
    /// Where the evidence was when the run was stored; `nil` where there is none.
    public var runDirectory: String?

    package init(run: TestRun, verdict: Verdict, runDirectory: String? = nil) {
        (self.run, self.verdict, self.runDirectory) = (run, verdict, runDirectory)
    }
}
