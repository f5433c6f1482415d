import Wording

/// Text in XML: escaped, and without the characters that XML forbids.
enum XMLText {
    /// Untrusted text for an attribute in double quotes; line breaks and tabs become references.
    static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

    /// Untrusted text for the content of an element.
    static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

    /// Untrusted text as a comment, in which two hyphens in a row are forbidden.
    static func comment(_ text: String) -> String {
        var plain = ""
        for scalar in content(text).unicodeScalars {
            if scalar == "-", plain.unicodeScalars.last == "-" { plain += " " }
            plain.unicodeScalars.append(scalar)
        }
        return "<!-- \(plain) -->"
    }

    private static func escaped(_ text: String, inAttribute: Bool) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where inAttribute: result += "&quot;"
            case "\n" where inAttribute: result += "&#10;"
            case "\t" where inAttribute: result += "&#9;"
            case "\r": result += "&#13;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // Not allowed in XML 1.0, not even as references.
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += scalar.picture
            // Allowed but discouraged, and some of them control a terminal.
            case "\u{7F}"..."\u{9F}": result += scalar.picture
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
