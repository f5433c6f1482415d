/// Decides for each scalar of a text whether it is shown unchanged.
///
/// Scalars that control a terminal or a page, or are invisible, are not: control characters, bidirectional overrides,
/// zero-width blanks, noncharacters. Joiners and variation selectors are shown, because emoji and several scripts
/// need them; so are the tags after a black flag, which form the flags of regions.
public struct Visibility: Sendable {
    private var isInFlag = false

    /// Begins a text.
    public init() {}

    /// Whether the next scalar is shown unchanged.
    public mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
        isInFlag = scalar == "\u{1F3F4}" || (isInFlag && (0xE0020...0xE007F).contains(scalar.value))
        return isInFlag || !scalar.isUnseen
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character or invisible.
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

    /// Its replacement: a picture (`␛`), or its code (`⟨U+202E⟩`).
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
