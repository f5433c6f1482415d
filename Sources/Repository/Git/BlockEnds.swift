/// Finds out whether the added lines of a hunk may end a block in which the removed ones lay: what follows them is then no change
/// of that block any more. git makes one hunk of an edit in the last line of a function and a declaration behind the function.
///
/// Only the lines of the hunk are known, so it says yes where it cannot tell: braces in texts and comments close blocks, but open
/// none, among the added lines, and the other way round among the removed ones.
enum BlockEnds {
    /// What may begin or end in these lines, so that it is not known where code is: texts and comments of several lines, raw texts,
    /// and code that is not compiled.
    private static let unclear = ["\"\"\"", "/*", "*/", "#\"", "#/", "#if", "#else", "#endif"].map { Array($0.utf8) }

    /// Whether the block may end in the added lines.
    static func mayEnd(removed: [[UInt8]], added: [[UInt8]]) -> Bool {
        let all = removed + added
        if unclear.contains(where: { mark in all.contains { $0.contains(mark) } }) { return true }
        let (new, old) = (depths(added, trusting: .opening), depths(removed, trusting: .closing))
        // Where it does not end in this hunk, the next one must not begin further out than it did.
        return new.lowest < old.lowest || new.last < old.last
    }

    /// Which braces count only where they are certainly code.
    private enum Brace { case opening, closing }

    /// How far the lines go out of the block they begin in: 0 if they do not, else below; and where they end.
    private static func depths(_ lines: [[UInt8]], trusting brace: Brace) -> (lowest: Int, last: Int) {
        var (depth, lowest) = (0, 0)
        for line in lines {
            for (byte, isCode) in scan(line) {
                switch byte {
                case UInt8(ascii: "{") where isCode || brace == .closing: depth += 1
                case UInt8(ascii: "}") where isCode || brace == .opening: depth -= 1
                default: break
                }
                lowest = min(lowest, depth)
            }
        }
        return (lowest, depth)
    }

    /// The braces of a line, and whether they stand outside of texts and comments.
    private static func scan(_ line: [UInt8]) -> [(byte: UInt8, isCode: Bool)] {
        var braces: [(byte: UInt8, isCode: Bool)] = []
        // What follows a slash may be a regular expression, what follows a backtick a name with any character.
        var (isText, isComment, isEscaped, isUncertain) = (false, false, false, false)
        // How many parentheses are open in an interpolation.
        var parentheses = 0
        for (place, byte) in line.enumerated() {
            switch byte {
            case _ where isEscaped:
                isEscaped = false
                if byte == UInt8(ascii: "(") { parentheses = 1 }
            case UInt8(ascii: "(") where parentheses > 0: parentheses += 1
            case UInt8(ascii: ")") where parentheses > 0: parentheses -= 1
            // A text in a text: where they end is not told any more.
            case UInt8(ascii: "\"") where parentheses > 0: isUncertain = true
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\"") where !isComment: isText.toggle()
            case UInt8(ascii: "/") where !isText && line[place...].starts(with: "//".utf8): isComment = true
            case UInt8(ascii: "/") where !isText, UInt8(ascii: "`") where !isText: isUncertain = true
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                let isCode = !isComment && (!isText || parentheses > 0)
                braces.append((byte, isCode && !isUncertain))
            default: break
            }
        }
        return braces
    }
}
