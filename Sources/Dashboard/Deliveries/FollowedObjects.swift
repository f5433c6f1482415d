public import struct Foundation.Date

/// How far a server has read what other servers over the same objects take in.
public struct FollowedObjects: Sendable, Hashable {
    /// How many of their runs wait, as an object of them is missing or cannot be read.
    public var waiting: Int
    /// When all that they had named was last looked at; `nil` if it was not since the start.
    public var readAt: Date?
    /// Whether the store does not answer, or gives nothing: then no delivery is taken.
    public var isAway: Bool

    /// Makes it from its parts.
    public init(waiting: Int = 0, readAt: Date? = nil, isAway: Bool = false) {
        (self.waiting, self.readAt, self.isAway) = (waiting, readAt, isAway)
    }
}
