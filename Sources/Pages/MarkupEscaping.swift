import Mustache
import Wording

/// Turns any text into text that is safe inside an element and inside a quoted attribute.
///
/// The escaping that Mustache brings compares characters, so that a quotation mark followed by a combining accent passes
/// it unescaped and ends the attribute. This one compares Unicode scalars. What would act unseen is shown as terminals are
/// shown it: control characters as pictures, bidirectional overrides and their like by their code, `⟨U+202E⟩`.
struct MarkupEscaping: MustacheContentType {
    /// The name by which a template asks for it.
    static let name = "KANMON"

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: Self.isSuspect) else { return text }
        var escaped = String.UnicodeScalarView()
        var visibility = Visibility()
        for scalar in text.unicodeScalars {
            let isShown = visibility.shows(scalar)
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\n", "\t": escaped.append(scalar)
            case _ where isShown: escaped.append(scalar)
            default: escaped.append(contentsOf: scalar.picture.unicodeScalars)
            }
        }
        return String(escaped)
    }

    /// Whether a byte is, or may begin, a scalar that is replaced; most text, Japanese too, has none.
    private static func isSuspect(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x7F: true
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        // The continuation bytes and the blocks that hold nothing unseen.
        case 0x80...0xC1, 0xE3...0xEE: false
        case 0xC2...: true
        default: false
        }
    }
}
