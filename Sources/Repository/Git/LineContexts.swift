import RunModel

/// What decides, besides its own text, whether a line is code: the conditions of `#if` around it, and the comment or string
/// literal of several lines that it begins in.
///
/// An unchanged line is compiled for the first time if these were removed around it. The scanner reads Swift and needs no valid
/// code; if it takes too much for text, a line only counts as changed.
struct LineContexts {
    /// The context of each line, the first line at 0.
    private let contexts: [Int]
    private let texts: [[UInt8]]

    /// Marks that may begin or end a context.
    private static let marks = ["#if", "#else", "#endif", "/*", "*/", "\"\"\"", "#\"", "\"#"].map { Array($0.utf8) }

    /// Whether one of these lines may change the context of others.
    static func mayChange(_ hunks: [FileDiff.Hunk]) -> Bool {
        hunks.contains { hunk in
            (hunk.removed + hunk.added).contains { line in marks.contains { line.contains($0) } }
        }
    }

    /// Reads a source.
    init(_ source: [UInt8]) {
        var scanner = Scanner()
        var contexts: [Int] = []
        var texts: [[UInt8]] = []
        var known: [[UInt8]: Int] = [:]
        for line in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            scanner.begin(line)
            let text = scanner.context
            if known[text] == nil {
                known[text] = texts.count
                texts.append(text)
            }
            contexts.append(known[text] ?? 0)
            scanner.read(line)
        }
        (self.contexts, self.texts) = (contexts, texts)
    }

    /// The context of a line, counted from 1; `nil` beyond the end.
    private subscript(line: Int) -> [UInt8]? {
        contexts.indices.contains(line - 1) ? texts[contexts[line - 1]] : nil
    }

    /// The unchanged lines of a file whose context is another than at the base, in ascending order.
    static func exposed(_ change: FileChange, base: [UInt8], head: [UInt8]) -> [Range<Int>] {
        let (before, after) = (LineContexts(base), LineContexts(head))
        let lines = after.contexts.indices.lazy.map { $0 + 1 }.filter { line in
            change.baseLine(of: line).map { before[$0] != after[line] } ?? false
        }
        return LineRanges.of(lines).map { $0.lowerBound..<$0.upperBound + 1 }
    }

    /// Where a reader of Swift is in a source.
    private struct Scanner {
        /// How many comments of several lines are open.
        private var comments = 0
        /// The number of `#` of the open string literal of several lines; `nil` outside of one.
        private var literal: Int?
        /// The conditions around, the outermost first.
        private var conditions: [[UInt8]] = []

        /// The context in which the line begins.
        var context: [UInt8] {
            conditions.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
                + (comments > 0 ? Array("comment".utf8) : literal.map { Array("literal \($0)".utf8) } ?? [])
        }

        /// Takes the conditions of a line, which hold for itself: a line `#else` belongs to what follows.
        mutating func begin(_ line: ArraySlice<UInt8>) {
            guard comments == 0, literal == nil else { return }
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard text.first == UInt8(ascii: "#") else { return }
            let end = text.lastIndex { !" \t\r".utf8.contains($0) }.map { $0 + 1 } ?? text.endIndex
            let words = Array(text[..<end])
            if words.starts(with: "#if".utf8) {
                conditions.append(words)
            } else if words.starts(with: "#else".utf8) {
                // What follows depends on the conditions before, too.
                let before = conditions.popLast() ?? []
                conditions.append(before + [0] + words)
            } else if words.starts(with: "#endif".utf8) {
                _ = conditions.popLast()
            }
        }

        /// Reads a line up to its end.
        mutating func read(_ line: ArraySlice<UInt8>) {
            var place = line.startIndex
            func next(_ text: StaticString) -> Bool {
                line[place...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            }
            func hashes(at start: Int) -> Int { line[start...].prefix { $0 == UInt8(ascii: "#") }.count }
            while place < line.endIndex {
                if let number = literal {
                    if next("\"\"\""), hashes(at: place + 3) >= number {
                        literal = nil
                        place += 3 + number
                    } else {
                        place += number == 0 && line[place] == UInt8(ascii: "\\") ? 2 : 1
                    }
                } else if next("/*") {
                    comments += 1
                    place += 2
                } else if comments > 0 {
                    let ends = next("*/")
                    if ends { comments -= 1 }
                    place += ends ? 2 : 1
                } else if next("//") {
                    return
                } else if line[place] == UInt8(ascii: "\"") || line[place] == UInt8(ascii: "#") {
                    place = self.text(line, at: place)
                } else {
                    place += 1
                }
            }
        }

        /// Passes over the string literal at a place, or opens one of several lines; returns where to go on.
        private mutating func text(_ line: ArraySlice<UInt8>, at start: Int) -> Int {
            let number = line[start...].prefix { $0 == UInt8(ascii: "#") }.count
            var place = start + number
            guard place < line.endIndex, line[place] == UInt8(ascii: "\"") else { return max(place, start + 1) }
            if line[place...].starts(with: "\"\"\"".utf8) {
                literal = number
                return place + 3
            }
            place += 1
            while place < line.endIndex {
                if line[place] == UInt8(ascii: "\\"), number == 0 {
                    place += 2
                } else if line[place] == UInt8(ascii: "\""),
                    line[(place + 1)...].prefix(number).count(where: { $0 == UInt8(ascii: "#") }) == number
                {
                    return place + 1 + number
                } else {
                    place += 1
                }
            }
            return line.endIndex
        }
    }
}
