import Foundation

/// Reads the XML that reports are made of several times as fast as a general parser, and nothing else.
///
/// Elements, attributes, text, CDATA and comments in UTF-8, with the five entities of XML and numeric references.
/// Whatever is malformed, cut short, beyond the limits of `XMLByteGuard` or only unusual - a document type, a processing
/// instruction, a namespace, a carriage return, a name that is not ASCII - it refuses without a reason: then
/// `XMLPushParser` reads the document from its beginning and says what there is to say. So that both tell a handler the
/// same of every document, what is accepted here is well-formed by every rule of XML 1.0.
struct XMLScanner: ~Copyable {
    /// Names of open elements that are longer than this are left to the parser.
    private static let nameLimit = 256
    /// What a call of `scan` did with the bytes it was given.
    enum Progress: Equatable {
        /// So many are done with; the rest is the beginning of something and wanted again with what follows.
        case consumed(Int)
        /// This document is for the parser.
        case refused
    }

    private let attributes: UnsafeMutablePointer<XMLAttribute>
    /// Values of one tag whose references were resolved.
    private let scratch: UnsafeMutablePointer<UInt8>
    private let names: UnsafeMutablePointer<UInt8>
    private let nameLengths: UnsafeMutablePointer<Int>
    private var scratchCount = 0
    private var depth = 0
    private var sawRoot = false
    private var sawProlog = false

    init() {
        attributes = .allocate(capacity: XMLByteGuard.attributeLimit)
        scratch = .allocate(capacity: XMLByteGuard.tagLimit)
        names = .allocate(capacity: XMLByteGuard.depthLimit * Self.nameLimit)
        nameLengths = .allocate(capacity: XMLByteGuard.depthLimit)
    }

    deinit {
        attributes.deallocate()
        scratch.deallocate()
        names.deallocate()
        nameLengths.deallocate()
    }

    /// Whether the root element is closed.
    var isComplete: Bool { sawRoot && depth == 0 }

    /// Reads a whole document; `false` when it is for the parser. What the handler was told then is void.
    static func parse<Handler: XMLHandler>(_ bytes: XMLBytes, into handler: inout Handler) -> Bool {
        var scanner = XMLScanner()
        return scanner.scan(bytes, isLast: true, into: &handler) == .consumed(bytes.count) && scanner.isComplete
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: What was left of the last piece, and the next one.
    ///   - isLast: Whether the document ends with them.
    mutating func scan<Handler: XMLHandler>(
        _ bytes: XMLBytes, isLast: Bool, into handler: inout Handler
    ) -> Progress {
        guard let base = bytes.baseAddress else { return .consumed(0) }
        let end = base + bytes.count
        var place = base
        if !sawProlog {
            guard bytes.count >= Self.prologLimit || isLast else { return .consumed(0) }
            guard let behind = prolog(base, end) else { return .refused }
            place = behind
            sawProlog = true
        }
        while place < end {
            let next: UnsafePointer<UInt8>?
            if place.pointee == UInt8(ascii: "<") {
                next = markup(place, end, &handler)
            } else if depth > 0 {
                next = text(place, end, isLast: isLast, &handler)
            } else {
                next = Self.behindSpace(place, end)
                if next == place { return .refused }
            }
            guard let next, handler.fault == nil else { return .refused }
            if next == place {
                guard !isLast, end - place <= XMLByteGuard.tagLimit else { return .refused }
                break
            }
            place = next
        }
        return .consumed(place - base)
    }

    // MARK: Markup

    /// Behind the markup at `start`, or `start` where it goes on behind `end`; `nil` to refuse.
    private mutating func markup<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        guard start + 1 < end else { return start }
        switch start[1] {
        case UInt8(ascii: "/"): return endTag(start, end, &handler)
        case UInt8(ascii: "!"): return special(start, end, &handler)
        default: return startTag(start, end, &handler)
        }
    }

    private mutating func startTag<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        let name = start + 1
        var place = Self.behindName(name, end)
        guard place < end else { return start }
        guard place > name, place - name <= Self.nameLimit, depth > 0 || !sawRoot else { return nil }
        let nameEnd = place
        var count = 0
        scratchCount = 0
        while true {
            let space = place
            place = Self.behindSpace(place, end)
            guard place < end else { return start }
            let byte = place.pointee
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
            guard place > space, count < XMLByteGuard.attributeLimit else { return nil }
            let key = place
            place = Self.behindName(place, end)
            let keyEnd = place
            place = Self.behindSpace(place, end)
            guard place < end else { return start }
            guard keyEnd > key, place.pointee == UInt8(ascii: "=") else { return nil }
            place = Self.behindSpace(place + 1, end)
            guard place < end else { return start }
            guard place.pointee == UInt8(ascii: "\"") || place.pointee == UInt8(ascii: "'") else { return nil }
            var content = XMLBytes(start: nil, count: 0)
            guard let behind = value(place, end, &content) else { return nil }
            // A quote is two bytes at least.
            guard behind > place else { return start }
            place = behind
            let attribute = XMLAttribute(name: XMLBytes(start: key, count: keyEnd - key), value: content)
            guard !attribute.name.equals("xmlns"), isNew(attribute.name, count) else { return nil }
            (attributes + count).initialize(to: attribute)
            count += 1
        }
        let isEmpty = place.pointee == UInt8(ascii: "/")
        if isEmpty {
            place += 1
            guard place < end else { return start }
            guard place.pointee == UInt8(ascii: ">") else { return nil }
        }
        place += 1
        guard depth < XMLByteGuard.depthLimit, place - start <= XMLByteGuard.tagLimit else { return nil }
        sawRoot = true
        let text = XMLBytes(start: name, count: nameEnd - name)
        handler.start(text, XMLAttributes(UnsafeBufferPointer(start: attributes, count: count)))
        if isEmpty {
            handler.end()
        } else {
            memcpy(names + depth * Self.nameLimit, name, text.count)
            nameLengths[depth] = text.count
            depth += 1
        }
        return place
    }

    private func isNew(_ name: XMLBytes, _ count: Int) -> Bool {
        for index in 0..<count where attributes[index].name.equals(name) { return false }
        return true
    }

    private mutating func endTag<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        guard depth > 0 else { return nil }
        let length = nameLengths[depth - 1]
        guard start + 2 + length < end else { return start }
        guard memcmp(start + 2, names + (depth - 1) * Self.nameLimit, length) == 0 else { return nil }
        let place = Self.behindSpace(start + 2 + length, end)
        guard place < end else { return start }
        guard place.pointee == UInt8(ascii: ">") else { return nil }
        depth -= 1
        handler.end()
        return place + 1
    }

    /// Comments and CDATA; a document type is refused.
    private func special<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        guard end - start >= 9 else { return start }
        let isData = memcmp(start, "<![CDATA[", 9) == 0
        guard isData ? depth > 0 : memcmp(start, "<!--", 4) == 0 else { return nil }
        let content = start + (isData ? 9 : 4)
        var place = content
        while place < end {
            switch place.pointee {
            case UInt8(ascii: "]") where isData:
                guard end - place > 2 else { return start }
                if place[1] == UInt8(ascii: "]"), place[2] == UInt8(ascii: ">") {
                    if place > content { handler.text(XMLBytes(start: content, count: place - content)) }
                    return place + 3
                }
                place += 1
            case UInt8(ascii: "-") where !isData:
                guard end - place > 2 else { return start }
                if place[1] == UInt8(ascii: "-") { return place[2] == UInt8(ascii: ">") ? place + 3 : nil }
                place += 1
            case 0x09, 0x0A, 0x20..<0x80: place += 1
            default:
                guard let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place { return start }
                place = behind
            }
        }
        return start
    }

    // MARK: Text

    /// Hands over text up to the next markup, or as much of it as is known to be complete.
    private func text<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isLast: Bool, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        var from = start
        var place = start
        func flush() { if place > from { handler.text(XMLBytes(start: from, count: place - from)) } }
        while true {
            place = XMLCharacter.behindOrdinary(place, end, or: UInt8(ascii: "]"))
            guard place < end else { break }
            let byte = place.pointee
            switch byte {
            case UInt8(ascii: "<"):
                flush()
                return place
            case UInt8(ascii: "&"):
                guard let reference = XMLReference(place, end) else {
                    guard end - place < XMLReference.limit else { return nil }
                    flush()
                    return place
                }
                flush()
                reference.withBytes { handler.text($0) }
                place += reference.length
                from = place
            case UInt8(ascii: "]"):
                guard end - place > 2 else {
                    flush()
                    return place
                }
                if place[1] == UInt8(ascii: "]"), place[2] == UInt8(ascii: ">") { return nil }
                place += 1
            case 0x09, 0x0A: place += 1
            default:
                guard let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place {
                    flush()
                    return place
                }
                place = behind
            }
        }
        flush()
        return place
    }

    /// The value whose quote is at `start`: behind its closing quote, or `start` where it goes on behind `end`.
    private mutating func value(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ value: inout XMLBytes
    ) -> UnsafePointer<UInt8>? {
        let quote = start.pointee
        let content = start + 1
        var place = content
        // What is in `scratch` from here on is the value up to `from`.
        let copy = scratchCount
        var from = content
        while true {
            place = XMLCharacter.behindOrdinary(place, end, or: quote)
            guard place < end else { return start }
            let byte = place.pointee
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "&"):
                guard let reference = XMLReference(place, end) else {
                    return end - place < XMLReference.limit ? start : nil
                }
                guard keep(from, place), reference.withBytes({ keep($0) }) else { return nil }
                place += reference.length
                from = place
            case 0x09, 0x0A:
                // White space in a value is a space.
                guard keep(from, place), keep(0x20) else { return nil }
                place += 1
                from = place
            default:
                guard byte != UInt8(ascii: "<"), let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place { return start }
                place = behind
            }
        }
        if from == content {
            value = XMLBytes(start: content, count: place - content)
        } else {
            guard keep(from, place) else { return nil }
            value = XMLBytes(start: scratch + copy, count: scratchCount - copy)
        }
        return place + 1
    }

    private mutating func keep(_ from: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        keep(XMLBytes(start: from, count: end - from))
    }

    private mutating func keep(_ byte: UInt8) -> Bool { withUnsafePointer(to: byte) { keep($0, $0 + 1) } }

    private mutating func keep(_ bytes: XMLBytes) -> Bool {
        guard scratchCount + bytes.count <= XMLByteGuard.tagLimit else { return false }
        if let base = bytes.baseAddress { memcpy(scratch + scratchCount, base, bytes.count) }
        scratchCount += bytes.count
        return true
    }

    // MARK: Prolog

    private static let prologLimit = 128
    private static let declarations: [String] = ["\"", "'"].flatMap { quote in
        ["", " encoding=UTF-8", " encoding=utf-8"].flatMap { encoding in
            ["", " standalone=yes", " standalone=no"].map { standalone in
                let parts = ("version=1.0" + encoding + standalone).split(separator: " ").map { part in
                    part.replacing("=", with: "=\(quote)") + quote
                }
                return parts.joined(separator: " ") + "?>"
            }
        }
    }

    /// Behind a byte-order mark and the declaration, where they are there; `nil` for a declaration that is not known.
    private func prolog(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var place = start
        if end - place >= 3, memcmp(place, "\u{FEFF}", 3) == 0 { place += 3 }
        guard end - place >= 6, memcmp(place, "<?xml ", 6) == 0 else { return place }
        place += 6
        for declaration in Self.declarations {
            let length = declaration.utf8.count
            if end - place >= length, memcmp(place, declaration, length) == 0 { return place + length }
        }
        return nil
    }

    // MARK: Runs of bytes

    private static func behindSpace(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end, place.pointee == 0x20 || place.pointee == 0x0A || place.pointee == 0x09 { place += 1 }
        return place
    }

    private static func behindName(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end {
            switch place.pointee {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if place == start { return start }
            default: return place
            }
            place += 1
        }
        return place
    }
}
