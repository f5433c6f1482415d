/// A place in a source file.
public struct SourceLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Relative to the package where the file lies inside it, otherwise as it was recorded.
    public let path: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1 in UTF-8 bytes, where known.
    public let column: Int?

    /// Makes a place from its parts.
    public init(path: String, line: Int, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// `path:line`, the form that terminals and editors turn into a link.
    public var description: String { "\(path):\(line)" }
}
