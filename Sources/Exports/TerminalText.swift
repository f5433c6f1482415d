/// Text for a terminal: its width in columns, cutting and padding by grapheme clusters, and escaping.
public enum TerminalText {
    /// How many columns the text takes; it must be safe already.
    public static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// How many columns one grapheme cluster takes.
    public static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1, first.value < 0x300 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        if isEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The text in at most `columns` columns, cut between grapheme clusters and marked with `…`.
    public static func cut(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let next = width(character)
            guard used + next <= columns - 1 else { break }
            kept.append(character)
            used += next
        }
        return kept + "…"
    }

    /// The text cut or filled with blanks to exactly `columns` columns.
    public static func fitted(_ text: String, to columns: Int, rightAligned: Bool = false) -> String {
        let text = cut(text, to: columns)
        let blanks = String(repeating: " ", count: max(0, columns - width(text)))
        return rightAligned ? blanks + text : text + blanks
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first else { return false }
        if first.properties.isEmojiPresentation { return scalars.count == 1 || !scalars.contains("\u{FE0E}") }
        // Digits and `#` are emoji too, but look like one only with a variation selector or keycap.
        return first.properties.isEmoji && scalars.contains("\u{FE0F}")
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        // The vowels and finals of a decomposed Hangul syllable share the columns of its first letter.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format: 0
        default: wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Wide and full-width scalars that are no emoji. Source: EastAsianWidth.txt of Unicode 16, ranges joined if only
    /// unassigned scalars are between them.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
