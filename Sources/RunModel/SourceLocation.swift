/// A place in a source file.
public struct SourceLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Relative to the package if the file is inside it, otherwise as recorded.
    public let path: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1 in UTF-8 bytes, if known.
    public let column: Int?

    /// Makes a location from its parts.
    public init(path: String, line: Int, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// `path:line`, the form that terminals and editors turn into a link.
    public var description: String { "\(path):\(line)" }
}
