import RunModel

/// A pattern for paths and names; it matches where the bytes match.
///
/// Pattern and text are parted at every `/`. Within a component `*` stands for any characters, also none, and `?` for
/// one Unicode scalar; a component `**` stands for any number of components, also none. Everything else stands for
/// itself: there are no classes and no escapes, letters are not folded and normalization forms are kept apart.
public struct Glob: Sendable {
    /// The pattern as it was written.
    public let pattern: String

    /// Scalars compare as their UTF-8 bytes do, so that no byte has to be put together again for `?`.
    private let components: [[Unicode.Scalar]]

    /// Makes a pattern; every text is one.
    public init(_ pattern: String) {
        self.pattern = pattern
        components = Self.components(of: pattern)
    }

    /// Whether `text` can match more than itself.
    public static func isPattern(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    /// Whether the whole of `text` matches.
    public func matches(_ text: String) -> Bool {
        Wildcard.matches(components, Self.components(of: text), isRun: { $0 == ["*", "*"] }) { pattern, component in
            Wildcard.matches(pattern, component, isRun: { $0 == "*" }) { $0 == "?" || $0 == $1 }
        }
    }

    private static func components(of text: String) -> [[Unicode.Scalar]] {
        text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    }
}
