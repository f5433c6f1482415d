/// A hook that Kanmon can be installed as.
public enum HookKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Judges the commits that a push sends.
    case prePush = "pre-push"
    /// Judges the tree that a commit will have.
    case preCommit = "pre-commit"
    /// Records in the store which commit was made of the judged tree.
    case postCommit = "post-commit"
    /// Judges all refs of a push on a server.
    case preReceive = "pre-receive"
    /// Judges each ref of a push on a server separately.
    case update

    /// Those of a developer's clone.
    public static let clients: [HookKind] = [.prePush, .preCommit, .postCommit]
    /// Those of a server's repository.
    public static let servers: [HookKind] = [.preReceive, .update]

    /// Whether it keeps commits that do not pass out of the repository that they are pushed to.
    public var guardsPushes: Bool { self == .prePush || isServers }
    /// Whether git writes the refs to standard input.
    var readsStandardInput: Bool { self == .prePush || self == .preReceive }
    /// Whether it is a server hook.
    var isServers: Bool { Self.servers.contains(self) }
}
