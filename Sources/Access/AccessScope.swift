/// What a token may be used for.
public enum AccessScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Deliver runs of a person's machine. They never count as the state of a branch.
    case submit
    /// Deliver runs that the team trusts, such as those of CI. They count as the state of a branch.
    case attest
    /// Read pages and data.
    case read
    /// All of the above.
    case admin

    /// Whether runs may be delivered with it.
    public var delivers: Bool { self != .read }
    /// Whether pages and data may be read with it.
    public var reads: Bool { self == .read || self == .admin }
    /// Whether the runs delivered with it are trusted.
    public var attests: Bool { self == .attest || self == .admin }
}
