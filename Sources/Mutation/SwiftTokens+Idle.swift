extension SwiftTokens {
    /// Functions that only tell somebody something.
    private static let printers: Set<String> = ["print", "debugPrint", "dump", "NSLog", "os_log"]
    /// What a logger is told by.
    private static let levels: Set<String> = [
        "trace", "debug", "info", "notice", "warning", "error", "critical", "fault", "log",
    ]

    /// The statements that make no difference to a test, whatever values are in them: `_ = 0` without a call, and what is only printed or
    /// logged.
    var idle: [Range<Int>] {
        tokens.indices.compactMap { place in discarded(at: place) ?? logged(at: place) }
    }

    /// `_ = …` up to the end of its line, without anything that is called.
    private func discarded(at place: Int) -> Range<Int>? {
        guard place + 2 < tokens.count, text(tokens[place]) == "_", isSign(tokens[place + 1], "="),
            place == 0 || !isSameLine(tokens[place - 1], tokens[place]) || isSign(tokens[place - 1], "{")
                || isSign(tokens[place - 1], ";")
        else { return nil }
        var end = tokens[place + 1].range.upperBound
        for next in tokens[(place + 2)...] {
            guard isSameLine(tokens[place], next), !isSign(next, ";"), !isSign(next, "}") else { break }
            if isSign(next, "(") || isSign(next, "[") || isSign(next, "{") || isSign(next, ".") { return nil }
            end = next.range.upperBound
        }
        return tokens[place].range.lowerBound..<end
    }

    /// `print(…)`, `logger.info(…)`, if no other function is called for it.
    private func logged(at place: Int) -> Range<Int>? {
        guard place + 1 < tokens.count, tokens[place].kind == .word, isSign(tokens[place + 1], "(") else { return nil }
        let isMember = place > 0 && isSign(tokens[place - 1], ".")
        var start = place
        if isMember {
            guard place > 1, tokens[place - 2].kind == .word, Self.levels.contains(text(tokens[place])) else {
                return nil
            }
            let receiver = text(tokens[place - 2])
            guard ["log", "logger"].contains(receiver) || receiver.hasSuffix("Log") || receiver.hasSuffix("Logger"),
                place < 3 || !isSign(tokens[place - 3], ".") || text(tokens[max(0, place - 4)]) == "self"
            else { return nil }
            start = place >= 4 && isSign(tokens[place - 3], ".") ? place - 4 : place - 2
        } else {
            guard Self.printers.contains(text(tokens[place])) else { return nil }
        }
        var depth = 0
        for next in (place + 1)..<tokens.count {
            if next > place + 1, isSign(tokens[next], "("), tokens[next - 1].kind == .word { return nil }
            if isSign(tokens[next], "{") { return nil }
            depth += Self.depth(of: tokens[next], in: bytes)
            if depth == 0 { return tokens[start].range.lowerBound..<tokens[next].range.upperBound }
        }
        return nil
    }

    private func isSameLine(_ one: Token, _ other: Token) -> Bool {
        !bytes[one.range.upperBound..<other.range.lowerBound].contains(UInt8(ascii: "\n"))
    }
}
