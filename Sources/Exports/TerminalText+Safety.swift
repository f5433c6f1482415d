import Wording

extension TerminalText {
    /// Untrusted text as one line that cannot control a terminal: control characters and invisible ones become
    /// visible.
    ///
    /// Control characters become their pictures (`␛`), bidirectional overrides and other invisible scalars their code
    /// (`⟨U+202E⟩`). Joiners stay, because emoji and several scripts need them.
    public static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isUnseen) else { return defused(text) }
        var result = ""
        result.reserveCapacity(text.utf8.count + 8)
        var visibility = Visibility()
        for scalar in text.unicodeScalars {
            if visibility.shows(scalar) { result.unicodeScalars.append(scalar) } else { result += scalar.picture }
        }
        return defused(result)
    }

    /// Untrusted text as safe lines: split at line breaks, tabs as blanks, without blank lines at its end.
    public static func safeLines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var scalars = text.unicodeScalars.makeIterator()
        var previous: Unicode.Scalar?
        while let scalar = scalars.next() {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r":
                lines.append(safe(line))
                line = ""
            case "\t": line += "    "
            default: line.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        lines.append(safe(line))
        while let last = lines.last, last.allSatisfy({ $0 == " " }) { lines.removeLast() }
        return lines
    }

    /// The text, changed so that no line is a command for the console that prints it (GitHub, Azure, TeamCity).
    ///
    /// Consoles ignore blanks before `::` and look for `##[` anywhere.
    static func defused(_ line: String) -> String {
        var line = line
        for command in ["##teamcity[", "##vso[", "##["] {
            while let start = line.utf8Index(of: command) {
                line.insert(" ", at: line.utf8.index(after: start))
            }
        }
        let blanks = line.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if line.utf8.dropFirst(blanks.count).starts(with: "::".utf8) { line.insert("\\", at: blanks.endIndex) }
        return line
    }
}

extension String {
    /// Where `word` first occurs, byte by byte; a combining mark after it hides nothing.
    fileprivate func utf8Index(of word: String) -> Index? {
        let word = Array(word.utf8)
        var start = utf8.startIndex
        while let index = utf8[start...].firstIndex(of: word[0]) {
            if utf8[index...].starts(with: word) { return index }
            start = utf8.index(after: index)
        }
        return nil
    }
}
