/// The commit that a run is compared with: what stood before the change that is judged.
public struct BaseCommit: Sendable, Hashable, Codable {
    /// How a base was found.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Somebody named it.
        case named
        /// What the other side of a push has until now.
        case pushed
        /// Where the change left the default branch.
        case mergeBase = "merge-base"
        /// The commit before, on the default branch itself.
        case parent
        /// The default branch, which has no commit in common with the change.
        case unrelated
    }

    /// Full hexadecimal.
    public var commit: String
    /// How it was found.
    public var kind: Kind
    /// The branch or revision by which it was found; untrusted text.
    public var name: String

    /// Makes a base from its parts.
    public init(commit: String, kind: Kind, name: String) {
        self.commit = commit
        self.kind = kind
        self.name = name
    }
}
