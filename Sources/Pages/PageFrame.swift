/// The parts around the content of every page.
public struct PageFrame: Sendable {
    /// The title of the browser's tab.
    let title: String
    /// The breadcrumbs, outermost first, without the page itself.
    let crumbs: [Link]
    /// The name of the page, after the breadcrumbs.
    let here: BreakableText?
    let home: String
    let stylesheet: String
    let icon: String
    /// The search field; `nil` in a static report.
    let search: SearchBox?
    /// The script; `nil` in a static report.
    let script: String?
    /// The seconds after which the page reloads without a script; `nil` for never.
    let refresh: Int?

    init(
        title: String, crumbs: [Link] = [], here: String? = nil, links: Links, searched: String = "",
        refresh: Int? = nil
    ) {
        script = links.find(.script)
        self.refresh = refresh
        home = links.href(.home())
        search = links.find(.search("")).map { SearchBox(action: String($0.prefix { $0 != "?" }), text: searched) }
        stylesheet = links.href(.stylesheet)
        icon = links.href(.icon)
        self.title = title
        self.crumbs = crumbs
        self.here = here.map { BreakableText($0) }
    }
}

/// The search field.
struct SearchBox: Sendable {
    let action: String
    let text: String
}

/// A link with its text.
struct Link: Sendable, TemplateValue {
    let href: String
    let text: BreakableText
    let hint: String?

    init(_ text: String, _ href: String, hint: String? = nil) {
        self.href = href
        self.text = BreakableText(text)
        self.hint = hint
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "href": href
        case "text": text
        case "hint": hint
        default: nil
        }
    }
}

/// A link around a sign or a mark: its words are read out, or shown on pointing at it.
struct LabelledLink: Sendable, TemplateValue {
    let href: String
    let words: String

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "href": href
        case "words": words
        default: nil
        }
    }
}

/// A name that may wrap after `.`, `/`, `_`, `-` and `:`, and never inside a grapheme cluster.
struct BreakableText: Sendable, TemplateValue {
    /// The parts before the last place to wrap.
    let parts: [String]
    /// The part after it.
    let last: String

    init(_ text: String) {
        self = Self.splittingBytes(of: text) ?? Self(splittingCharactersOf: text)
    }

    private init(parts: [String], last: String) {
        self.parts = parts
        self.last = last
    }

    /// Splits any text.
    init(splittingCharactersOf text: String) {
        var parts: [String] = []
        var part = ""
        for character in text {
            // Consecutive separators such as `..` and `::` stay together.
            if let end = part.last, Self.separators.contains(end), !Self.separators.contains(character) {
                parts.append(part)
                part = ""
            }
            part.append(character)
        }
        self.init(parts: parts, last: part)
    }

    /// Splits an ASCII text, which nearly all names are; `nil` for any other, because there a character may begin
    /// with a separator.
    private static func splittingBytes(of text: String) -> BreakableText? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            var parts: [String] = []
            var start = 0
            for index in bytes.indices.dropFirst() where isSeparator(bytes[index - 1]) && !isSeparator(bytes[index]) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                start = index
            }
            return BreakableText(parts: parts, last: String(decoding: bytes[start...], as: UTF8.self))
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"): true
        default: false
        }
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "parts": parts
        case "last": last
        default: nil
        }
    }

    private static let separators: Set<Character> = [".", "/", "_", "-", ":"]
}
