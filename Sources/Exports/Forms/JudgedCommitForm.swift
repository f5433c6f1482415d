/// A commit and what the newest run of its tree says of it, for programs: of an audit, and of the default branch.
public struct JudgedCommitForm: Sendable, Hashable, Codable {
    let commit: String
    /// Left out where nobody asked for it.
    let tree: String?
    /// The first line of its message; untrusted text.
    let subject: String
    /// The verdict of that run; left out where there is none.
    let decision: String?
    let run: String?
    /// Why nothing can be said of the commit, such as invalid settings; left out if something can.
    let fault: String?

    /// Makes the form of a commit.
    public init(
        commit: String, tree: String? = nil, subject: String, decision: String?, run: String?, fault: String? = nil
    ) {
        self.commit = commit
        self.tree = tree
        self.subject = subject
        self.decision = decision
        self.run = run
        self.fault = fault
    }
}
