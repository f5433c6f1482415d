import Mustache

/// What every page has around its content.
public struct PageFrame: Sendable {
    /// The title of the browser's tab.
    let title: String
    /// The way back, outermost first; the page itself is not in it.
    let crumbs: [Link]
    /// What the page is, after the crumbs.
    let here: BreakableText?
    let home: String
    let stylesheet: String
    let icon: String
    /// The way to everything else; `nil` where nobody could answer.
    let search: SearchBox?
    /// What the page can do beside being read; `nil` for nothing.
    public let script: String?
    /// After how many seconds the page is loaded again where no script runs; `nil` for never.
    let refresh: Int?

    init(
        title: String, crumbs: [Link] = [], here: String? = nil, links: Links, searched: String = "",
        script: String? = nil, refresh: Int? = nil
    ) {
        self.script = script
        self.refresh = refresh
        home = links.href(.home)
        search = links.find(.search("")).map { SearchBox(action: String($0.prefix { $0 != "?" }), text: searched) }
        stylesheet = links.href(.stylesheet)
        icon = links.href(.icon)
        self.title = title
        self.crumbs = crumbs
        self.here = here.map { BreakableText($0) }
    }
}

/// The field in which something is looked for.
struct SearchBox: Sendable {
    let action: String
    let text: String
}

/// A link with the text a reader sees.
struct Link: Sendable, MustacheParent {
    let href: String
    let text: BreakableText
    let hint: String?

    init(_ text: String, _ href: String, hint: String? = nil) {
        self.href = href
        self.text = BreakableText(text)
        self.hint = hint
    }

    func child(named name: String) -> Any? {
        switch name {
        case "href": href
        case "text": text
        case "hint": hint
        default: nil
        }
    }
}

/// A name that may wrap behind `.`, `/`, `_`, `-` and `:`, and is never cut inside a grapheme.
struct BreakableText: Sendable, MustacheParent {
    /// What stands before the last place to wrap.
    let parts: [String]
    /// What stands behind it.
    let last: String

    init(_ text: String) {
        var parts: [String] = []
        var part = ""
        for character in text {
            // A run of separators stays together: `..` and `::` are not worth a line break.
            if let end = part.last, Self.separators.contains(end), !Self.separators.contains(character) {
                parts.append(part)
                part = ""
            }
            part.append(character)
        }
        self.parts = parts
        last = part
    }

    func child(named name: String) -> Any? {
        switch name {
        case "parts": parts
        case "last": last
        default: nil
        }
    }

    private static let separators: Set<Character> = [".", "/", "_", "-", ":"]
}
