/// Finds out whether the added lines of a hunk may close the block, argument list or initial value that the removed lines were in.
/// What follows the hunk would then be outside of it: for git, an edit in the last line of a function and a new declaration after the
/// function are one hunk. A block is also another one when an accessor is named in it: a getter that was written without `get` becomes
/// one of several accessors, or its property is stored from then on.
///
/// Only the lines of the hunk are known, so where it cannot tell, it says yes. A brace that may be in a string literal or a comment
/// counts only if it makes a yes more likely: a closing one among the added lines, an opening one among the removed ones. Parentheses
/// and square brackets count wherever they may be code, and not where they are certainly text: they are too common there.
enum BlockEnds {
    /// What may begin or end in these lines, so that it is not known where code is: string literals and comments of several lines, raw
    /// string literals, and code that is not compiled.
    private static let unclear = ["\"\"\"", "/*", "*/", "#\"", "#/", "#if", "#else", "#endif"].map { Array($0.utf8) }

    private static let pairs: [(opening: UInt8, closing: UInt8)] = [
        (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "("), UInt8(ascii: ")")),
        (UInt8(ascii: "["), UInt8(ascii: "]")),
    ]

    /// What makes the body of a property more, or less, than a getter.
    private static let accessors = Set(
        ["get", "set", "willSet", "didSet", "_read", "_modify", "unsafeAddress", "unsafeMutableAddress", "init"].map {
            Array($0.utf8)
        })

    /// Whether the block may end in the added lines, or be another one.
    static func mayEnd(removed: [[UInt8]], added: [[UInt8]]) -> Bool {
        let all = removed + added
        if unclear.contains(where: { mark in all.contains { $0.contains(mark) } }) { return true }
        if all.contains(where: namesAccessor) { return true }
        let (new, old) = (added.flatMap(brackets), removed.flatMap(brackets))
        return pairs.contains { pair in
            let after = depths(new, of: pair, doubtful: pair.closing)
            let before = depths(old, of: pair, doubtful: pair.opening)
            // If the block does not end in this hunk, the lines after it must not begin further out than before.
            return after.lowest < before.lowest || after.last < before.last
        }
    }

    /// Whether a word of a line is that of an accessor, apart from comments. The same word in a text does no harm: it only decides that
    /// more tests run.
    private static func namesAccessor(_ line: [UInt8]) -> Bool {
        let code = line.firstRange(of: Array("//".utf8)).map { line[..<$0.lowerBound] } ?? line[...]
        return code.split(whereSeparator: { " \t\r{}".utf8.contains($0) }).contains { word in
            accessors.contains(Array(word.prefix { $0 != UInt8(ascii: "(") }))
        }
    }

    /// The lowest depth that the lines reach, relative to the block they begin in (0 if they never leave it, else negative), and the
    /// depth at which they end.
    ///
    /// - Parameter doubtful: The brace that also counts where it is perhaps no code.
    private static func depths(
        _ brackets: [Bracket], of pair: (opening: UInt8, closing: UInt8), doubtful: UInt8
    ) -> (lowest: Int, last: Int) {
        var (depth, lowest) = (0, 0)
        for bracket in brackets where bracket.isCode || bracket.byte == doubtful {
            switch bracket.byte {
            case pair.opening: depth += 1
            case pair.closing: depth -= 1
            default: break
            }
            lowest = min(lowest, depth)
        }
        return (lowest, depth)
    }

    /// A brace, parenthesis or bracket.
    private struct Bracket {
        let byte: UInt8
        /// Whether it counts as code; a brace only where that is certain.
        let isCode: Bool
    }

    /// The brackets of a line, without the parentheses of interpolations.
    private static func brackets(_ line: [UInt8]) -> [Bracket] {
        var brackets: [Bracket] = []
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
            // A string literal inside of another: from here on it is unknown where they end.
            case UInt8(ascii: "\"") where parentheses > 0: isUncertain = true
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\"") where !isComment: isText.toggle()
            case UInt8(ascii: "/") where !isText && line[place...].starts(with: "//".utf8): isComment = true
            case UInt8(ascii: "/") where !isText && !isComment, UInt8(ascii: "`") where !isText && !isComment:
                isUncertain = true
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                let isCode = !isComment && (!isText || parentheses > 0)
                brackets.append(Bracket(byte: byte, isCode: isCode && !isUncertain))
            case _ where "()[]".utf8.contains(byte) && (isUncertain || !isText && !isComment):
                brackets.append(Bracket(byte: byte, isCode: true))
            default: break
            }
        }
        return brackets
    }
}
