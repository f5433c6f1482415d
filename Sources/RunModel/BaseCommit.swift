/// The commit that a run is compared with: the state before the change.
public struct BaseCommit: Sendable, Hashable, Codable {
    /// How a base was found.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The user named it.
        case named
        /// The commit that the remote of a push has so far.
        case pushed
        /// The commit where the change left the default branch.
        case mergeBase = "merge-base"
        /// The parent of the commit, on the default branch itself.
        case parent
        /// The nearest ancestor that was a state of the default branch and passed.
        case passed
        /// The default branch, which has no commit in common with the change.
        case unrelated
    }

    /// Full hexadecimal.
    public var commit: String
    /// How it was found.
    public var kind: Kind
    /// The branch or revision by which it was found; untrusted text.
    public var name: String

    package init(commit: String, kind: Kind, name: String) {
        (self.commit, self.kind, self.name) = (commit, kind, name)
    }

    /// The key of a verdict besides its run: the commits that the run was compared with; empty for none.
    ///
    /// How they were found is not part of it, except that an unrelated commit is marked, because it is compared in another way.
    public static func key(of bases: [BaseCommit]) -> String {
        bases.map { ($0.kind == .unrelated ? "unrelated:" : "") + $0.commit }.sorted().joined(separator: " ")
    }
}
