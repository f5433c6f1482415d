import Wording

/// A line of a log: pieces of text with their terminal colors.
public struct LogLine: Sendable, Hashable, Encodable {
    /// Text of one color.
    struct Piece: Sendable, Hashable, Encodable {
        /// The classes: `ansi-1 ansi-bold`; empty for plain text.
        var style: String
        var text: String
    }

    let pieces: [Piece]
}

/// Converts terminal output to text and CSS classes.
///
/// Colors, bold and underlined text continue on the next line, as in a terminal; all other sequences are dropped.
/// Control characters and invisible ones are shown as pictures.
public struct LogReader: Sendable {
    /// How many changes of color a line has at most.
    static let mostPieces = 200

    private var color: Int?
    private var isBold = false
    private var isUnderlined = false

    /// Begins a log.
    public init() {}

    /// Reads one line without its end; bytes that are no UTF-8 become U+FFFD.
    public mutating func line(_ bytes: [UInt8]) -> LogLine {
        var pieces: [LogLine.Piece] = []
        var text = String.UnicodeScalarView()
        var visibility = Visibility()
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        // The line ends with CR LF.
        if rest.last == "\r" { rest.removeLast() }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                let before = style
                sequence(&rest)
                guard style != before, !text.isEmpty, pieces.count < Self.mostPieces else { continue }
                pieces.append(LogLine.Piece(style: before, text: String(text)))
                text = String.UnicodeScalarView()
            case "\r":
                // CR of a progress bar: the text that follows replaces the line.
                pieces = []
                text = String.UnicodeScalarView()
            case "\t": text.append(scalar)
            case _ where visibility.shows(scalar): text.append(scalar)
            default: text.append(contentsOf: scalar.picture.unicodeScalars)
            }
        }
        if !text.isEmpty { pieces.append(LogLine.Piece(style: style, text: String(text))) }
        return LogLine(pieces: pieces)
    }

    /// A safe text: control characters and invisible ones are shown as pictures.
    static func visible(_ text: String) -> String {
        var visibility = Visibility()
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if visibility.shows(scalar) {
                shown.append(scalar)
            } else {
                shown.append(contentsOf: scalar.picture.unicodeScalars)
            }
        }
        return String(shown)
    }

    private var style: String {
        [color.map { "ansi-\($0)" }, isBold ? "ansi-bold" : nil, isUnderlined ? "ansi-underline" : nil]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Reads the rest of an escape sequence: a control sequence, a command to the terminal, or one character.
    private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) {
        switch rest.popFirst() {
        case "[":
            var parameters = ""
            while let scalar = rest.popFirst() {
                if ("@"..."~").contains(scalar) {
                    if scalar == "m" { paint(parameters) }
                    return
                }
                guard (" "..."?").contains(scalar) else { return }
                parameters.unicodeScalars.append(scalar)
            }
        case "]", "P", "^", "_":
            // Up to a bell or the end of a string.
            while let scalar = rest.popFirst(), scalar != "\u{7}" {
                if scalar == "\u{1B}" {
                    _ = rest.popFirst()
                    return
                }
            }
        default: break
        }
    }

    private mutating func paint(_ parameters: String) {
        var numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
        if numbers.isEmpty { numbers = [0] }
        while let number = numbers.popFirst() {
            switch number {
            case 0: (color, isBold, isUnderlined) = (nil, false, false)
            case 1: isBold = true
            case 4: isUnderlined = true
            case 22: isBold = false
            case 24: isUnderlined = false
            case 30...37: color = number - 30
            case 39: color = nil
            case 90...97: color = number - 90
            case 38, 48:
                let chosen = Self.extended(&numbers)
                if number == 38 { color = chosen }
            default: continue
            }
        }
    }

    /// One of 256 colors, of which only the first sixteen have a class, or a color by its parts, which has none.
    private static func extended(_ numbers: inout ArraySlice<Int>) -> Int? {
        switch numbers.popFirst() {
        case 5:
            let index = numbers.popFirst() ?? 16
            return (0..<16).contains(index) ? index % 8 : nil
        case 2:
            numbers = numbers.dropFirst(3)
            return nil
        default: return nil
        }
    }
}
