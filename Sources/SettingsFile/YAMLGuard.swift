/// Checks the text before the YAML parser, and refuses what settings do not need and what is dangerous.
///
/// A few lines with aliases can make a tree of exponential size, and the parser compares whole trees when it looks
/// for duplicate keys, before its result can be checked. Block text, tags, directives, complex keys and quoted text
/// over several lines are refused too, so that a small scanner can tell what is quoted. In plain text over several
/// lines it cannot be certain, and refuses too much. A second check ignores quotes and comments and finds aliases
/// with an anchor, in case the scanner and the parser understand a text differently.
struct YAMLGuard {
    /// How deep settings may be nested.
    static let depthLimit = 16

    private let file: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    /// Whether a token may begin here: only there quotes and indicators have a meaning.
    private var isTokenStart = true

    /// Throws at the first construct that settings do not use.
    static func check(_ text: String, file: String) throws(SettingsError) {
        let start = YAMLGuard(file: file, scalars: Array(text.unicodeScalars))
        var scanner = start
        try scanner.refuseHiddenBreaks()
        scanner = start
        try scanner.scan()
        scanner = start
        try scanner.refuseReferences()
    }

    private init(file: String, scalars: [Unicode.Scalar]) {
        self.file = file
        self.scalars = scalars
    }

    private func scalar(_ offset: Int) -> Unicode.Scalar? {
        let index = position + offset
        return scalars.indices.contains(index) ? scalars[index] : nil
    }

    private mutating func scan() throws(SettingsError) {
        while let current = scalar(0) {
            if Self.isBreak(current) {
                breakLine()
            } else if Self.isBlank(current) {
                position += 1
            } else if current == "#", isTokenStart || followsBlank {
                skipComment()
            } else {
                try scanToken(current)
            }
        }
    }

    /// Whether white space or the beginning of a line precedes, so that a comment can begin.
    private var followsBlank: Bool {
        guard position > lineStart, let previous = scalar(-1) else { return true }
        return Self.isBlank(previous)
    }

    /// Whether an anchor or an alias can begin here: indicators in brackets count as space.
    private var followsSpace: Bool {
        guard !followsBlank, let previous = scalar(-1) else { return true }
        return "[]{},:?".unicodeScalars.contains(previous)
    }

    private mutating func breakLine() {
        if scalar(0) == "\r", scalar(1) == "\n" { position += 1 }
        position += 1
        line += 1
        lineStart = position
        // In brackets a plain text continues on the next line; in a block a token may begin.
        if depth == 0 { isTokenStart = true }
    }

    private mutating func skipComment() {
        while let next = scalar(0), !Self.isBreak(next) { position += 1 }
        isTokenStart = true
    }

    private mutating func scanToken(_ first: Unicode.Scalar) throws(SettingsError) {
        switch first {
        case "&" where followsSpace, "*" where followsSpace:
            throw unsupported("anchors and aliases are", "put the text that holds '\(first)' in quotes")
        case "!" where isTokenStart:
            throw unsupported("tags are", "put the text that begins with '!' in quotes")
        case "|" where isTokenStart, ">" where isTokenStart:
            throw unsupported("block text is", "write the text in quotes on one line")
        case "%" where position == lineStart:
            throw unsupported("directives are", "remove the line")
        case "?" where isTokenStart && (depth > 0 || Self.endsToken(scalar(1))):
            throw unsupported("complex keys are", "write 'key: value'")
        case "'" where isTokenStart, "\"" where isTokenStart:
            try skipQuoted(first)
        case "[" where isTokenStart || depth > 0, "{" where isTokenStart || depth > 0:
            depth += 1
            guard depth <= Self.depthLimit else { throw unsupported("such deep nesting is", "remove brackets") }
            isTokenStart = true
            position += 1
        case "]" where depth > 0, "}" where depth > 0:
            depth -= 1
            isTokenStart = true
            position += 1
        case "-" where position == lineStart && scalar(1) == "-" && scalar(2) == "-" && Self.endsToken(scalar(3)):
            position += 3
        case "-" where Self.endsToken(scalar(1)):
            position += 1
        default:
            let isSeparator = first == ":" && Self.endsToken(scalar(1)) || first == "," && depth > 0
            isTokenStart = isSeparator || isTokenStart && first == ":" && depth > 0
            position += 1
        }
    }

    private mutating func skipQuoted(_ quote: Unicode.Scalar) throws(SettingsError) {
        let opening = place
        position += 1
        while let next = scalar(0), !Self.isBreak(next) {
            if next == quote {
                guard quote == "'", scalar(1) == "'" else {
                    position += 1
                    return
                }
                position += 1
            } else if next == "\\", quote == "\"", scalar(1).map(Self.isBreak) == false {
                position += 1
            }
            position += 1
        }
        throw .unsupported(opening, what: "quotes that do not end on their line are", hint: "close the quote")
    }

    /// Refuses characters that end a line either for YAML 1.1 or for editors only: after one of them a comment could
    /// continue as settings.
    private mutating func refuseHiddenBreaks() throws(SettingsError) {
        while let current = scalar(0) {
            switch current {
            case "\n": breakLine()
            case "\r" where scalar(1) == "\n": breakLine()
            case "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}":
                let digits = String(current.value, radix: 16, uppercase: true)
                let code = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
                throw unsupported("line ends other than LF and CR LF are", "remove the sign \(code)")
            case "\u{FEFF}": throw unsupported("byte order marks behind the beginning are", "remove the sign U+FEFF")
            default: position += 1
            }
        }
    }

    /// Refuses an alias after an anchor of its name, even in quotes or comments: only such a pair is expanded.
    private mutating func refuseReferences() throws(SettingsError) {
        var anchors: Set<String> = []
        while let current = scalar(0) {
            if Self.isBreak(current) {
                breakLine()
                continue
            }
            let isSign = (current == "&" || current == "*") && scalar(-1).map(Self.isInWord) != true
            var length = 1
            while isSign, let next = scalar(length), Self.isOfName(next) { length += 1 }
            if length > 1 {
                let name = String(String.UnicodeScalarView(scalars[position + 1..<position + length]))
                if current == "&" {
                    anchors.insert(name)
                } else if anchors.contains(name) {
                    throw unsupported("anchors and aliases are", "write '&\(name)' or '*\(name)' in another way")
                }
            }
            position += length
        }
    }

    private var place: Place { Place(file: file, line: line, column: position - lineStart + 1) }

    private func unsupported(_ what: String, _ hint: String) -> SettingsError {
        .unsupported(place, what: what, hint: hint)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// The line breaks that are not refused.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    /// The characters of an anchor's name.
    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z", "_", "-": true
        default: false
        }
    }

    /// The characters of a word, after which no anchor or alias can begin.
    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "." || (scalar != "-" && isOfName(scalar))
    }

    private static func endsToken(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return true }
        return isBlank(scalar) || isBreak(scalar)
    }
}
