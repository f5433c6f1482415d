/// A hook that Kanmon can stand in.
public enum HookKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Judges the commits that a push sends.
    case prePush = "pre-push"
    /// Judges the tree that a commit will have.
    case preCommit = "pre-commit"
    /// Judges on a server what a push brings, all refs at once.
    case preReceive = "pre-receive"
    /// Judges on a server each ref that a push brings for itself.
    case update

    /// Those of a developer's clone.
    public static let clients: [HookKind] = [.prePush, .preCommit]
    /// Those of a server's repository.
    public static let servers: [HookKind] = [.preReceive, .update]

    /// Whether git writes the refs to standard input.
    var readsStandardInput: Bool { self == .prePush || self == .preReceive }
    /// Whether it stands on a server.
    var isServers: Bool { Self.servers.contains(self) }
}
