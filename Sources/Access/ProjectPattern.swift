public import RunModel

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
        Wildcard.matches(
            Array(description.utf8), Array(project.utf8), isRun: { $0 == UInt8(ascii: "*") }, isMatch: ==)
    }
}

extension ProjectPattern: TextCodable {
    /// What the text has to be, for error messages.
    public static var textKind: String { "a pattern" }
}
