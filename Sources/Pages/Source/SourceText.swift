import RunModel

/// The text of a source file, as lines.
public struct SourceText: Sendable, Hashable {
    /// How many lines are shown at most; the page of a longer file says that it is cut.
    public static let longest = 20_000

    /// The lines without their ends, at most `longest`.
    public let lines: [String]
    /// How many lines the file has.
    public let count: Int

    /// Splits the bytes of a file; invalid UTF-8 becomes U+FFFD.
    public init(_ bytes: some Collection<UInt8>) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let last = lines.last, last.isEmpty { lines.removeLast() }
        count = lines.count
        self.lines = lines.prefix(Self.longest).map { line in
            let isDOS = line.suffix(1).elementsEqual([UInt8(ascii: "\r")])
            return String(decoding: isDOS ? line.dropLast() : line, as: UTF8.self)
        }
    }

    /// The line with a number counted from 1.
    subscript(number: Int) -> String? { number >= 1 && number <= lines.count ? lines[number - 1] : nil }
}

/// The texts of some source files, found by the bytes of their paths.
public struct SourceTexts: Sendable {
    private var texts: [Name: SourceText] = [:]

    /// No texts.
    public init() {}

    /// The text of the file at `path`.
    public subscript(path: String) -> SourceText? {
        get { texts[Name(path)] }
        set { texts[Name(path)] = newValue }
    }
}

/// The lines around a place, with the place marked.
struct Excerpt: Sendable {
    struct Line: Sendable {
        let number: Int
        let text: String
        let href: String
        let isHit: Bool
    }

    let lines: [Line]

    /// Three lines before and two after; `nil` if the text has no such line.
    init?(_ location: SourceLocation, in text: SourceText?, links: RunLinks) {
        guard let text, text[location.line] != nil else { return nil }
        let first = max(1, location.line - 3)
        let last = min(text.lines.count, location.line + 2)
        lines = (first...last).map { number in
            Line(
                number: number, text: text[number] ?? "", href: links.line(number, of: location.path),
                isHit: number == location.line
            )
        }
    }
}

/// A place as a link to its source page.
struct PlaceLink: Sendable {
    let href: String
    let text: BreakableText

    /// `nil` when there is no place.
    init?(_ location: SourceLocation?, links: RunLinks) {
        guard let location else { return nil }
        href = links.line(location.line, of: location.path)
        text = BreakableText(location.description)
    }
}
