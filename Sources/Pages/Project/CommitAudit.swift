public import Gate
public import RunModel

/// The commits of a branch whose tree has not passed, among the latest ones.
public struct CommitAudit: Sendable, Hashable {
    /// One such commit.
    public struct Entry: Sendable, Hashable {
        /// The commit.
        public var commit: String
        /// The first line of its message; untrusted text.
        public var subject: String
        /// The newest whole run of its tree; `nil` when there is none.
        public var run: RunID?
        /// The verdict of that run.
        public var decision: Decision?
        /// The commit, where the store has that verdict as what the run, which is of another commit, says of this one.
        public var judgedCommit: String?

        /// The page that tells the verdict; `nil` without a run.
        var route: Route? { run.map { .run($0, commit: judgedCommit) } }

        package init(commit: String, subject: String, run: RunID?, decision: Decision?) {
            self.commit = commit
            self.subject = subject
            self.run = run
            self.decision = decision
        }
    }

    /// The branch: `origin/main`.
    public var branch: String
    /// How many commits were checked, the newest first.
    public var looked: Int
    /// Those that have not passed, the newest first.
    public var entries: [Entry]

    /// Only the commits with one verdict, or all, in the order that was requested.
    public func listed(_ verdict: String?, by order: ListOrder?) -> CommitAudit {
        var listed = self
        listed.entries = entries.filter { ListFilter.allows($0.decision, verdict) }
            .sorted(by: order, standing: .newestFirst)
        return listed
    }

    package init(branch: String, looked: Int, entries: [Entry]) {
        (self.branch, self.looked, self.entries) = (branch, looked, entries)
    }
}
