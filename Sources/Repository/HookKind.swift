/// A hook that Kanmon can stand in.
public enum HookKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Judges the commits that a push sends.
    case prePush = "pre-push"
    /// Judges the tree that a commit will have.
    case preCommit = "pre-commit"

    /// Whether git writes the refs to standard input.
    var readsStandardInput: Bool { self == .prePush }
}
