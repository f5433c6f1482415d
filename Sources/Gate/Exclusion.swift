/// Files whose lines do not count.
public struct Exclusion: Sendable, Hashable {
    /// A pattern of paths, relative to the package: `*`, `?` and `**`.
    public var pattern: String
    /// Why, where somebody said so; untrusted text.
    public var reason: String?

    package init(pattern: String, reason: String? = nil) { (self.pattern, self.reason) = (pattern, reason) }
}

extension Exclusion: ExpressibleByStringLiteral {
    /// An exclusion without a reason.
    public init(stringLiteral pattern: String) { self.init(pattern: pattern) }
}

extension Exclusion: Codable {
    private enum CodingKeys: String, CodingKey { case path, reason }

    /// Decodes the pattern alone, or `{"path": …, "reason": …}`.
    public init(from decoder: any Decoder) throws {
        if let pattern = try? decoder.singleValueContainer().decode(String.self) {
            self.init(pattern: pattern)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                pattern: try container.decode(String.self, forKey: .path),
                reason: try container.decodeIfPresent(String.self, forKey: .reason))
        }
    }

    /// Encodes the pattern alone where there is no reason.
    public func encode(to encoder: any Encoder) throws {
        guard let reason else {
            var container = encoder.singleValueContainer()
            return try container.encode(pattern)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pattern, forKey: .path)
        try container.encode(reason, forKey: .reason)
    }
}
