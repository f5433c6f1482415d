/// A tag as a strict reader of HTML sees it.
struct Tag: Hashable, CustomStringConvertible {
    var name: String
    var attributes: [String]

    var description: String { "<\(([name] + attributes).joined(separator: " "))>" }
}

/// What is wrong with a page.
struct MarkupFault: Error, CustomStringConvertible {
    var description: String
}

/// Reads HTML byte by byte and far more strictly than a browser: whatever it does not expect is a fault.
///
/// It looks at bytes and never at characters, because a browser does not know graphemes: `"` with an accent is a quote.
struct MarkupScanner {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var tags: [Tag] = []
    private(set) var texts: [String] = []
    private(set) var values: [(tag: String, attribute: String, value: String)] = []
    private var open: [String] = []

    private static let voids: Set<String> = ["meta", "link", "img", "wbr", "br", "hr", "input"]

    init(_ html: String) throws {
        bytes = Array(html.utf8)
        try expect("<!doctype html>")
        while next != nil {
            if next == UInt8(ascii: "<") { try scanTag() } else { try scanText() }
        }
        guard open.isEmpty else { throw MarkupFault(description: "not closed: \(open)") }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func scanText() throws {
        let text = take { $0 != UInt8(ascii: "<") }
        guard !text.contains(UInt8(ascii: ">")) else { throw MarkupFault(description: "bare > in \(string(text))") }
        try checkEntities(text)
        texts.append(string(text))
    }

    private mutating func scanTag() throws {
        try expect("<")
        let isEnd = next == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let name = string(take(while: Self.isName))
        guard !name.isEmpty else {
            throw MarkupFault(description: "a tag without a name: \(string(bytes[position...].prefix(40)))")
        }
        var attributes: [String] = []
        while next == UInt8(ascii: " ") {
            position += 1
            let attribute = string(take(while: Self.isName))
            guard !attribute.isEmpty else { throw MarkupFault(description: "an attribute without a name in <\(name)>") }
            attributes.append(attribute)
            guard next == UInt8(ascii: "=") else { continue }
            try expect("=\"")
            let value = take { $0 != UInt8(ascii: "\"") }
            try expect("\"")
            guard !value.contains(UInt8(ascii: "<")), !value.contains(UInt8(ascii: ">")) else {
                throw MarkupFault(description: "bare < or > in \(attribute)")
            }
            try checkEntities(value)
            values.append((name, attribute, string(value)))
        }
        let closesItself = next == UInt8(ascii: "/")
        if closesItself { position += 1 }
        try expect(">")
        if isEnd {
            guard attributes.isEmpty, open.popLast() == name else {
                throw MarkupFault(description: "</\(name)> out of place")
            }
        } else {
            tags.append(Tag(name: name, attributes: attributes))
            if !Self.voids.contains(name), !closesItself { open.append(name) }
        }
    }

    private func checkEntities(_ text: ArraySlice<UInt8>) throws {
        for part in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
            let known = ["amp;", "lt;", "gt;", "quot;", "#39;"]
            guard known.contains(where: { part.starts(with: $0.utf8) }) else {
                throw MarkupFault(description: "a bare & before \(string(part.prefix(20)))")
            }
        }
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, condition(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func expect(_ text: String) throws {
        guard bytes[position...].starts(with: text.utf8) else {
            throw MarkupFault(description: "expected \(text), found \(string(bytes[position...].prefix(60)))")
        }
        position += text.utf8.count
    }

    private func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
