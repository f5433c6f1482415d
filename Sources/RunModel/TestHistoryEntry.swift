public import struct Foundation.Date

/// The outcome of a test in one run.
public struct TestHistoryEntry: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// When the run began.
    public var startedAt: Date
    /// The commit that was tested, where known.
    public var commit: String?
    /// The branch, where known.
    public var branch: String?
    /// The tree that the run answers for; `nil` where it answers for none.
    public var tree: String?
    /// Whether the run answers for that commit and branch; otherwise it is of a working copy.
    public var isExact: Bool
    /// How the test ended.
    public var outcome: Outcome
    /// How often it was executed in that run.
    public var attempts: Int
    /// How long its last attempt took, where known.
    public var duration: Duration?
    /// The failure message, also of a failed first attempt; untrusted text.
    public var message: String?
    /// The files that it attached.
    public var attachments: [TestAttachment]
    /// Whether it passed, and failed when the run repeated it as a new or changed test.
    public var failedWhenRepeated: Bool

    package init(
        run: RunID, startedAt: Date, commit: String?, branch: String?, tree: String? = nil, isExact: Bool = true,
        outcome: Outcome, attempts: Int, duration: Duration?, message: String? = nil,
        attachments: [TestAttachment] = [], failedWhenRepeated: Bool = false
    ) {
        self.failedWhenRepeated = failedWhenRepeated
        self.tree = tree
        self.attachments = attachments
        self.message = message
        self.run = run
        self.startedAt = startedAt
        self.commit = commit
        self.branch = branch
        self.isExact = isExact
        self.outcome = outcome
        self.attempts = attempts
        self.duration = duration
    }
}
