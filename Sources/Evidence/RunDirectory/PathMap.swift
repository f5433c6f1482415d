/// What a folder in the reports of another tool is called here: another machine, container or agent had the files elsewhere.
public struct PathMap: Sendable, Hashable, Codable {
    /// The folder in the reports.
    public let from: String
    /// The folder here: absolute, or relative to the package; empty for the package itself.
    public let to: String

    package init(from: String, to: String) { (self.from, self.to) = (from, to) }

    /// Reads `FROM=TO`; `nil` for anything else.
    public init?(_ text: String) {
        guard let place = text.utf8.firstIndex(of: UInt8(ascii: "=")), place > text.utf8.startIndex else { return nil }
        self.init(from: String(text[..<place]), to: String(text[text.utf8.index(after: place)...]))
    }
}
