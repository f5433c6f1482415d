/// The layout of text: with or without colors, and its width.
public struct TextStyle: Sendable, Hashable {
    /// Whether signs and headings are colored; without it no escape sequence is written.
    public var color: Bool
    /// How many columns there are; tables and excerpts are cut to fit.
    public var columns: Int

    /// Makes a style from its parts; a terminal narrower than 40 columns is treated as one of 40.
    public init(color: Bool = false, columns: Int = 100) {
        self.color = color
        self.columns = max(40, columns)
    }

    enum Paint: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func painted(_ text: String, _ paint: Paint) -> String {
        color && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }
}
