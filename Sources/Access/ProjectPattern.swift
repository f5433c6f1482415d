/// A pattern for names of projects, in which `*` stands for any bytes, also for none and for `/`.
public struct ProjectPattern: Sendable, Hashable, CustomStringConvertible {
    /// The longest pattern, in bytes.
    public static let longest = 1024

    /// The pattern as it was written.
    public let description: String

    /// Reads a pattern: 1 to 1024 bytes without control characters; anything else is `nil`.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        description = text
    }

    /// Whether it stands for every project.
    public var isEverything: Bool { description.utf8.allSatisfy { $0 == UInt8(ascii: "*") } }

    /// Whether a project has a name of this pattern. Bytes are compared, and the time is at most the product of both lengths.
    public func matches(_ project: String) -> Bool {
        let (pattern, name) = (Array(description.utf8), Array(project.utf8))
        var (at, place) = (0, 0)
        var lastStar: (at: Int, place: Int)?
        while place < name.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                lastStar = (at, place)
                at += 1
            } else if at < pattern.count, pattern[at] == name[place] {
                (at, place) = (at + 1, place + 1)
            } else if let star = lastStar {
                // The last star takes one byte more; an earlier one need not be tried again.
                lastStar = (star.at, star.place + 1)
                (at, place) = (star.at + 1, star.place + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension ProjectPattern: Codable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let pattern = ProjectPattern(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no pattern")
        }
        self = pattern
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
