import RunModel

/// How a run directory came to hold the shards of one run.
public struct MergeRecord: Sendable, Hashable, Codable {
    /// The expected number of shards.
    public var expected: Int
    /// The folders of the shards' run directories, relative to this one, in the order of their numbers.
    public var shards: [String]

    /// How many shards a run may have.
    private static let limits = 1...1000

    package init(expected: Int, shards: [String]) { (self.expected, self.shards) = (expected, shards) }

    /// Reads a record, and refuses excessive numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expected = try container.decode(Int.self, forKey: .expected)
        shards = try container.decode([String].self, forKey: .shards)
        guard Self.limits.contains(expected) else {
            throw DecodingError.dataCorruptedError(
                forKey: .expected, in: container, debugDescription: "\(expected) is not between 1 and 1000")
        }
        guard shards.count <= Self.limits.upperBound else {
            throw DecodingError.dataCorruptedError(
                forKey: .shards, in: container, debugDescription: "\(shards.count) folders, the limit is 1000")
        }
        guard Set(shards.map { Name($0) }).count == shards.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .shards, in: container, debugDescription: "a folder is there twice")
        }
    }
}
