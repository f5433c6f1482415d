/// How a run directory came to hold the shards of one run.
public struct MergeRecord: Sendable, Hashable, Codable {
    /// How many shards there have to be.
    public var expected: Int
    /// The folders of the shards' run directories, relative to this one, in the order of their numbers.
    public var shards: [String]

    /// Makes a record from its parts.
    public init(expected: Int, shards: [String]) {
        self.expected = expected
        self.shards = shards
    }
}
