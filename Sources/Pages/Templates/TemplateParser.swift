/// Parses templates.
///
/// A tag alone on its line, unless it is a value, removes the whole line, as Mustache requires.
struct TemplateParser {
    private let bytes: [UInt8]
    /// The index of each template by its name.
    private let places: [String: Int]
    private var position = 0
    /// Whether this line has had only such tags so far. After a section it has the value from the beginning of the
    /// section: other engines do the same, and the pages depend on it.
    private var isLineStart = true

    /// Reads a template.
    ///
    /// - Parameter places: The index of each template by its name.
    static func template(_ text: String, places: [String: Int]) throws(TemplateFault) -> Template {
        var parser = TemplateParser(bytes: Array(text.utf8), places: places)
        return try parser.template(endingWith: nil)
    }

    private init(bytes: [UInt8], places: [String: Int]) {
        self.bytes = bytes
        self.places = places
    }

    private mutating func template(endingWith end: String?) throws(TemplateFault) -> Template {
        var pieces: [Template.Piece] = []
        while let (text, tag) = try next() {
            if !text.isEmpty { pieces.append(.text(Array(text))) }
            guard let tag else { break }
            let name = String(tag.dropFirst())
            switch tag.first {
            case "/":
                guard name == end else { throw .misplacedEnd(name) }
                return Template(pieces: pieces)
            case "#": pieces.append(.section(try names(name), try inner(endingWith: name)))
            case "^": pieces.append(.inverted(try names(name), try inner(endingWith: name)))
            case "$": pieces.append(.block(name, try inner(endingWith: name)))
            case ">": pieces.append(.partial(try place(name), blocks: [:]))
            case "<":
                let place = try place(name)
                var blocks: [String: Template] = [:]
                // Text between the blocks is not shown.
                for case .block(let block, let content) in try inner(endingWith: name).pieces {
                    blocks[block] = content
                }
                pieces.append(.partial(place, blocks: blocks))
            default: pieces.append(.value(try names(tag)))
            }
        }
        if let end { throw .missingEnd(end) }
        return Template(pieces: pieces)
    }

    private mutating func inner(endingWith end: String) throws(TemplateFault) -> Template {
        let wasLineStart = isLineStart
        defer { isLineStart = wasLineStart }
        return try template(endingWith: end)
    }

    private func place(_ name: String) throws(TemplateFault) -> Int {
        guard let place = places[name] else { throw .unknownTemplate(name) }
        return place
    }

    /// The names of `.frame.title`, none for `.`; every name begins with a dot, because outer values are not
    /// searched.
    private func names(_ path: String) throws(TemplateFault) -> [String] {
        guard path.first == ".", path.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || Self.isLetter($0) }) else {
            throw .unknownTag(path)
        }
        return path.split(separator: ".").map { String($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The text up to the next tag, and the content of the tag; `nil` as the tag at the end.
    private mutating func next() throws(TemplateFault) -> (text: ArraySlice<UInt8>, tag: String?)? {
        guard position < bytes.count else { return nil }
        guard let open = index(of: UInt8(ascii: "{"), from: position) else {
            defer { position = bytes.count }
            return (bytes[position...], nil)
        }
        guard let close = index(of: UInt8(ascii: "}"), from: open + 2) else { throw .openTag }
        let tag = String(decoding: bytes[open + 2..<close], as: UTF8.self)
        var text = bytes[position..<open]
        position = close + 2
        var indentation = open
        while indentation > text.startIndex, Self.isBlank(bytes[indentation - 1]) { indentation -= 1 }
        if indentation > text.startIndex { isLineStart = bytes[indentation - 1] == Self.lineFeed }
        isLineStart = isLineStart && tag.first != "." && skipRestOfLine()
        if isLineStart { text = text.prefix(upTo: indentation) }
        return (text, tag)
    }

    /// Skips to the next line if nothing more is on this one.
    private mutating func skipRestOfLine() -> Bool {
        let rest = bytes[position...].drop { Self.isBlank($0) }
        guard rest.first ?? Self.lineFeed == Self.lineFeed else { return false }
        position = min(rest.startIndex + 1, bytes.count)
        return true
    }

    private static let lineFeed = UInt8(ascii: "\n")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The index of the next pair of this byte.
    private func index(of byte: UInt8, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return (start..<bytes.count - 1).first { bytes[$0] == byte && bytes[$0 + 1] == byte }
    }
}
