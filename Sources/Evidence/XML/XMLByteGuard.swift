import Foundation

/// Looks at every byte of a document before the parser does, and refuses what the parser is weak against.
///
/// libxml2's push parser compares every attribute of a tag with all others, nests without limit, decodes encodings that
/// hide a DOCTYPE from a byte scan, and stops at a NUL. None of that gets past here. It also knows where a document that
/// was cut short still makes sense.
package struct XMLByteGuard {
    /// Attributes of one tag.
    static let attributeLimit = 64
    /// Bytes of one tag.
    static let tagLimit = 1 << 20
    /// Elements that are open at once.
    static let depthLimit = 32

    /// What to do about a document type declaration.
    package enum DocumentType {
        /// Refuse any.
        case refused
        /// Pass over one, and over what it says of elements, attributes and notations; refuse one that declares entities or refers to
        /// them. An external subset is never loaded.
        case skipped
    }

    /// What may be given to the parser.
    struct Passed: Equatable {
        /// The bytes without a byte-order mark, up to the last complete piece of markup.
        var content: Range<Int>
        /// A document type declaration to leave out.
        var documentType: Range<Int>?
        /// Where and why the document is incomplete; `nil` when every element is closed.
        var truncation: XMLFault?
    }

    private let document: LentBytes
    let bytes: XMLBytes
    let documentType: DocumentType
    /// How many bytes are looked at before their memory is given back.
    private static let step = 1 << 20
    private var released = 0
    private(set) var index = 0
    private var depth = 0
    private(set) var sawElement = false

    /// Looks through a document.
    static func check(_ document: LentBytes, documentType: DocumentType) throws(XMLFault) -> Passed {
        var scan = XMLByteGuard(document, documentType: documentType)
        return try scan.run()
    }

    private init(_ document: LentBytes, documentType: DocumentType) {
        self.document = document
        bytes = document.bytes
        self.documentType = documentType
    }

    private mutating func run() throws(XMLFault) -> Passed {
        try checkCharacters()
        if starts(with: "\u{FEFF}") { index = 3 }
        let start = index
        try checkDeclaration()
        var passed = Passed(content: start..<index)
        while let open = find("<", from: index) {
            let outside = depth == 0 && !isSpace(index..<open)
            guard !outside else { throw fault(index, "text outside of the root element") }
            index = open
            guard let end = try markup(&passed) else {
                passed.content = start..<open
                passed.truncation = XMLFault(
                    at: bytes.count, of: document, reason: "the file ends inside of a tag", isTruncation: true
                )
                return passed
            }
            index = end
            passed.content = start..<end
            releasePassed(to: end)
        }
        if depth > 0 || !sawElement {
            if !sawElement, !isSpace(index..<bytes.count) { throw fault(index, "this is not XML") }
            let reason = sawElement ? "\(depth) of its elements not closed" : "there is no element"
            passed.truncation = XMLFault(at: bytes.count, of: document, reason: reason, isTruncation: true)
        } else {
            guard isSpace(index..<bytes.count) else { throw fault(index, "text behind the root element") }
        }
        return passed
    }

    /// Refuses what is not UTF-8, and NUL, but for a character that the end of the file cuts.
    private mutating func checkCharacters() throws(XMLFault) {
        var start = 0
        while start < bytes.count {
            var end = min(bytes.count, start + Self.step)
            let piece = XMLBytes(rebasing: bytes[start..<end])
            if let zero = bytes.firstIndex(of: 0, in: start..<end) { throw fault(zero, "a NUL byte") }
            if let invalid = piece.firstInvalidUTF8 {
                guard isCut(piece[invalid...]) else { throw fault(start + invalid, "a byte that is not UTF-8") }
                if end == bytes.count { break }
                // It goes on in the next piece.
                end = start + invalid
            }
            start = end
            document.release(end)
        }
        released = 0
    }

    /// Gives back the memory of what will not be looked at again.
    private mutating func releasePassed(to end: Int) {
        guard end - released >= Self.step else { return }
        released = end
        document.release(end)
    }

    /// Passes over the markup at `index`; `nil` when the document ends inside of it.
    private mutating func markup(_ passed: inout Passed) throws(XMLFault) -> Int? {
        let open = index
        if starts(with: "<!--") { return find("-->", from: open + 4).map { $0 + 3 } }
        if starts(with: "<?") { return find("?>", from: open + 2).map { $0 + 2 } }
        if starts(with: "<![CDATA[") { return find("]]>", from: open + 9).map { $0 + 3 } }
        if starts(with: "<!") { return try documentType(&passed) }
        if starts(with: "</") {
            guard let end = find(">", from: open) else { return nil }
            depth -= 1
            guard depth >= 0 else { throw fault(open, "an end tag without a start tag") }
            return end + 1
        }
        return try startTag()
    }

    private mutating func startTag() throws(XMLFault) -> Int? {
        let open = index
        let limit = min(bytes.count, open + Self.tagLimit)
        var attributes = 0
        var place = open + 1
        while place < limit {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // Values are most of a report.
                place = bytes.firstIndex(of: byte, in: place + 1..<limit) ?? limit
            case UInt8(ascii: "="):
                attributes += 1
                guard attributes <= Self.attributeLimit else {
                    throw fault(open, "a tag with more than \(Self.attributeLimit) attributes")
                }
            case UInt8(ascii: "<"): throw fault(place, "'<' inside of a tag")
            case UInt8(ascii: ">"):
                guard depth > 0 || !sawElement else { throw fault(open, "a second root element") }
                sawElement = true
                guard depth < Self.depthLimit else {
                    throw fault(open, "elements nested deeper than \(Self.depthLimit)")
                }
                if bytes[place - 1] != UInt8(ascii: "/") { depth += 1 }
                return place + 1
            default: break
            }
            place += 1
        }
        guard limit == bytes.count else { throw fault(open, "a tag longer than \(Self.tagLimit) bytes") }
        return nil
    }

    /// The encoding that a document declares has to be the one it was checked for.
    private mutating func checkDeclaration() throws(XMLFault) {
        guard starts(with: "<?xml "), let end = find("?>", from: index) else { return }
        guard end - index <= Self.tagLimit else {
            throw fault(index, "a declaration longer than \(Self.tagLimit) bytes")
        }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        guard let name = text.range(of: "encoding") else { return }
        let value = text[name.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return }
        let encoding = value.dropFirst().prefix { $0 != quote }.lowercased()
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding) else {
            throw fault(index, "the encoding '\(encoding)' is not UTF-8")
        }
    }

    /// Whether bytes are only the beginning of a character.
    private func isCut(_ rest: Slice<XMLBytes>) -> Bool {
        guard let first = rest.first, rest.count < 4, first >= 0xC2, first <= 0xF4 else { return false }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        return rest.count < length && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }

    func isSpace(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(range.upperBound, start + Self.step)
            guard bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else {
                return false
            }
            if end < range.upperBound { document.release(end) }
            start = end
        }
        return true
    }

    func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + index, text.utf8Start, count) == 0
    }

    /// The offset of the next occurrence of a text.
    private mutating func find(_ text: StaticString, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let length = text.utf8CodeUnitCount
        var place = start
        while place + length <= bytes.count {
            let end = min(bytes.count - length + 1, place + Self.step)
            guard let found = bytes.firstIndex(of: text.utf8Start[0], in: place..<end) else {
                place = end
                releasePassed(to: place)
                continue
            }
            if memcmp(base + found, text.utf8Start, length) == 0 { return found }
            place = found + 1
        }
        return nil
    }

    func fault(_ offset: Int, _ reason: String) -> XMLFault {
        XMLFault(at: offset, of: document, reason: reason)
    }
}
