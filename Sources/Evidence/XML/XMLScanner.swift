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
    static let nameLimit = 256
    /// What a call of `scan` did with the bytes it was given.
    enum Progress: Equatable {
        /// So many are done with; the rest is the beginning of something and wanted again with what follows.
        case consumed(Int)
        /// This document is for the parser.
        case refused
    }

    let attributes: UnsafeMutablePointer<XMLAttribute>
    /// Values of one tag whose references were resolved.
    let scratch: UnsafeMutablePointer<UInt8>
    let names: UnsafeMutablePointer<UInt8>
    let nameLengths: UnsafeMutablePointer<Int>
    var scratchCount = 0
    var depth = 0
    var sawRoot = false
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
}
