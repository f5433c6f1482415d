import RunModel

/// The text of a source file, as lines: all of them for its page, or those around some places for excerpts.
///
/// Others have written it, so what is kept of it is limited, whatever the file is.
public struct SourceText: Sendable, Hashable {
    /// The largest file that is shown, in bytes: 4 MiB.
    public static let largest = 4 << 20
    /// How many lines are shown at most; the page of a longer file says that it is cut.
    public static let longest = 20_000
    /// The longest line that is shown whole, in bytes; a longer one ends with `…`.
    static let longestLine = 10_000
    /// How many lines an excerpt has before and behind a place.
    static let (linesBefore, linesBehind) = (3, 2)

    /// The lines without their ends, at most `longest`; none where only some lines were asked for.
    public let lines: [String]
    /// How many lines the file has.
    public let count: Int
    /// The lines around some places, by their numbers.
    private let excerpts: [Int: String]

    /// Reads the lines of a file; invalid UTF-8 becomes U+FFFD.
    public init(_ bytes: some Collection<UInt8>) {
        var lines: [String] = []
        count = Self.forEachLine(of: Array(bytes)) { number, line in
            if number <= Self.longest { lines.append(Self.text(line)) }
        }
        self.lines = lines
        excerpts = [:]
    }

    /// Reads the lines of a file that are shown around some lines, and keeps no others.
    public init(_ bytes: some Collection<UInt8>, around places: [Int]) {
        let bytes = Array(bytes)
        var wanted: Set<Int> = []
        for place in places where place >= 1 && place <= bytes.count {
            wanted.formUnion((place - Self.linesBefore)...(place + Self.linesBehind))
        }
        var excerpts: [Int: String] = [:]
        count = Self.forEachLine(of: bytes) { number, line in
            if wanted.contains(number) { excerpts[number] = Self.text(line) }
        }
        lines = []
        self.excerpts = excerpts
    }

    /// The line with a number counted from 1; `nil` if there is none, or if it is not kept.
    subscript(number: Int) -> String? {
        if let line = excerpts[number] { return line }
        return number >= 1 && number <= lines.count ? lines[number - 1] : nil
    }

    /// Goes through the lines one after the other, and returns how many there are.
    private static func forEachLine(of bytes: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Void) -> Int {
        var (start, count) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            count += 1
            body(count, bytes[start..<end])
            start = end + 1
        }
        return count
    }

    /// A line without what DOS ends it with, cut where it is too long.
    private static func text(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard line.count > longestLine else { return String(decoding: line, as: UTF8.self) }
        // Not within a character.
        var end = line.startIndex + longestLine
        while end > line.startIndex, line[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: line[..<end], as: UTF8.self) + " …"
    }
}

/// The texts of some source files, found by the bytes of their paths.
public struct SourceTexts: Sendable {
    private var texts: [Name: SourceText] = [:]

    /// No texts.
    public init() {}

    /// The text of the file at `path`, or its lines around some places.
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
        let first = location.line - SourceText.linesBefore
        lines = (first...(location.line + SourceText.linesBehind)).compactMap { number in
            text[number].map {
                Line(
                    number: number, text: $0, href: links.line(number, of: location.path),
                    isHit: number == location.line)
            }
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
