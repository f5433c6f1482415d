import RunModel
import Wording

/// A range of lines as a link to its first line: `41–58`.
///
/// A large package has tens of thousands of them, so it looks up its properties itself, without reflection.
struct LineRange: Sendable, TemplateValue {
    let href: String
    let words: String

    init(_ range: ClosedRange<Int>, of path: String, links: RunLinks) {
        href = links.line(range.lowerBound, of: path)
        words = Figures.lines(range)
    }

    /// A link with other words, for ranges that are only counted.
    init(href: String, words: String) { (self.href, self.words) = (href, words) }

    /// The missed lines of a file; of many ranges the first, and a link to the file for the others.
    static func missed(in file: FileCoverage, atMost most: Int, _ links: RunLinks) -> [LineRange] {
        let missed = MissedLines(file.missedRanges, atMost: most)
        return missed.ranges.map { LineRange($0, of: file.path, links: links) }
            + (missed.more.map { [LineRange(href: links.source(file.path), words: $0)] } ?? [])
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "href": href
        case "words": words
        default: nil
        }
    }
}

extension String {
    /// The part after the last slash.
    var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
