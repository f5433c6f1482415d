import Wording

/// The bytes of a page. Text is escaped for elements and quoted attributes.
///
/// As in the terminal, control characters become pictures, and bidirectional overrides and the like their code,
/// `⟨U+202E⟩`. Escaping works on Unicode scalars, not characters: a quotation mark with a combining accent is one
/// character, and would end the attribute.
struct Markup {
    private(set) var bytes: [UInt8] = []

    /// A text by itself.
    static func escaped(_ text: String) -> String {
        var markup = Markup()
        markup.append(text)
        return String(decoding: markup.bytes, as: UTF8.self)
    }

    /// Reserves memory for a page of this size.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Appends text of a template.
    mutating func append(trusted text: [UInt8]) { bytes += text }

    /// Appends any text.
    mutating func append(_ text: String) {
        var text = text
        let isDone = text.withUTF8 { appendByByte($0) }
        if !isDone { appendByScalar(text) }
    }

    /// Appends a text byte by byte; appends nothing and returns `false` if its scalars must be checked.
    private mutating func appendByByte(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasMarks = false
        for index in text.indices {
            switch Kind(text[index]) {
            case .plain: break
            case .mark: hasMarks = true
            case .suspect: guard Self.isPlain(text[index...].prefix(3)) else { return false }
            }
        }
        guard hasMarks else {
            bytes.append(contentsOf: text)
            return true
        }
        var start = text.startIndex
        for index in text.indices {
            guard let reference = Self.reference(text[index]) else { continue }
            bytes.append(contentsOf: text[start..<index])
            bytes.append(contentsOf: reference.utf8)
            start = index + 1
        }
        bytes.append(contentsOf: text[start...])
        return true
    }

    /// Appends a text scalar by scalar; correct for every text.
    mutating func appendByScalar(_ text: String) {
        var visibility = Visibility()
        for scalar in text.unicodeScalars {
            let isShown = visibility.shows(scalar)
            let reference = UInt8(exactly: scalar.value).flatMap { Self.reference($0) }
            let isText = isShown || scalar == "\n" || scalar == "\t"
            bytes.append(contentsOf: (reference ?? (isText ? String(scalar) : scalar.picture)).utf8)
        }
    }

    /// The kind of a scalar by its first byte.
    private enum Kind {
        /// It is shown unchanged.
        case plain
        /// It must be escaped.
        case mark
        /// It may begin an invisible scalar; most text, also Japanese, has none.
        case suspect

        init(_ byte: UInt8) {
            self =
                switch byte {
                case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                    .mark
                case UInt8(ascii: "\n"), UInt8(ascii: "\t"): .plain
                case 0x00...0x1F, 0x7F: .suspect
                // The continuation bytes and the blocks without invisible scalars.
                case 0x80...0xC1, 0xC3...0xCA, 0xE3...0xEE: .plain
                case 0xC2...: .suspect
                default: .plain
                }
        }
    }

    /// Whether bytes that may begin an invisible scalar are one of the frequent visible ones: `µ`, `–`, `✓`.
    private static func isPlain(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return false }
        switch (first, second) {
        // From U+00A0, except the soft hyphen.
        case (0xC2, 0xA0...0xAC), (0xC2, 0xAE...0xBF): return true
        // From U+2010 to U+2027, and from U+2080.
        case (0xE2, 0x80): return bytes.dropFirst(2).first.map { (0x90...0xA7).contains($0) } ?? false
        case (0xE2, 0x82...0xBF): return true
        default: return false
        }
    }

    private static func reference(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
