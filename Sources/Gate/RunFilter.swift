public import RunModel

/// Which runs a list shows; what is `nil` does not matter.
public struct RunFilter: Sendable, Hashable {
    /// On this branch, byte for byte.
    public var branch: String?
    /// With this verdict.
    public var decision: Decision?
    /// Of a commit by an author whose name has this in it, byte for byte.
    public var author: String?
    /// Begun on this day or later, in UTC.
    public var since: CalendarDay?
    /// Begun on this day or earlier, in UTC.
    public var until: CalendarDay?

    /// Makes a filter from its parts.
    public init(
        branch: String? = nil, decision: Decision? = nil, author: String? = nil, since: CalendarDay? = nil,
        until: CalendarDay? = nil
    ) {
        self.branch = branch
        self.decision = decision
        self.author = author
        self.since = since
        self.until = until
    }

    /// Whether every run is shown.
    public var isEmpty: Bool { self == RunFilter() }
}
