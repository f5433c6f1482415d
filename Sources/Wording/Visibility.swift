/// Tells, one scalar of a text after the other, which ones are shown as they are.
///
/// What acts on a terminal or a page, or hides in it, is not: control characters, bidirectional overrides, blanks without
/// width, noncharacters. Joiners and variation selectors are, because emoji and several scripts are written with them, and
/// so are the tags behind a black flag, which are the flags of countries within countries.
public struct Visibility: Sendable {
    private var isInFlag = false

    /// Begins a text.
    public init() {}

    /// Whether the next scalar is shown as it is.
    public mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
        isInFlag = scalar == "\u{1F3F4}" || (isInFlag && (0xE0020...0xE007F).contains(scalar.value))
        return isInFlag || !scalar.isUnseen
    }
}

extension Unicode.Scalar {
    /// Whether it acts or hides instead of being seen.
    public var isUnseen: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        case .format:
            if self == "\u{200C}" || self == "\u{200D}" { return false }
            return properties.isBidiControl || properties.isDefaultIgnorableCodePoint
                || (0xFFF9...0xFFFB).contains(value)
        case .unassigned: return properties.isNoncharacterCodePoint
        default: return false
        }
    }

    /// What stands for it where it must not be: a picture (`␛`), or its code (`⟨U+202E⟩`).
    public var picture: String {
        switch value {
        case 0...0x1F: return Unicode.Scalar(0x2400 + value).map { String($0) } ?? "␀"
        case 0x7F: return "␡"
        default:
            let digits = String(value, radix: 16, uppercase: true)
            return "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)⟩"
        }
    }
}
