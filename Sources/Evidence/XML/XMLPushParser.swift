internal import CLibXML2

/// What the parser tells about a document; a pure state machine that knows no parser.
protocol XMLHandler {
    /// An element begins.
    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes)
    /// Text inside of the innermost element; may come in pieces.
    mutating func text(_ bytes: XMLBytes)
    /// The innermost element ends.
    mutating func end()
    /// Why the document has to be refused, if it has.
    var fault: String? { get }
}

/// Drives libxml2's SAX2 push parser: the only file in which its pointers exist.
///
/// It reads what `XMLScanner` leaves to it, and is what that is compared with.
/// No tree is built, no entity is known beyond the five of XML itself, nothing is loaded, and the limits of
/// `XMLByteGuard` hold before the parser sees a byte.
enum XMLPushParser {
    private static let pieceSize = 64 << 10

    /// Parses a document into a handler.
    ///
    /// - Parameter isPartialAllowed: Whether a document that is cut short is read as far as it goes.
    /// - Returns: Where and why the document is incomplete, if that is allowed.
    static func parse<Handler: XMLHandler>(
        _ bytes: XMLBytes,
        into handler: inout Handler,
        documentType: XMLByteGuard.DocumentType,
        isPartialAllowed: Bool
    ) throws(XMLFault) -> XMLFault? {
        let passed = try XMLByteGuard.check(bytes, documentType: documentType)
        if let truncation = passed.truncation, !isPartialAllowed { throw truncation }
        let session = SAXSession(handler)
        let failure = feed(bytes, passed, to: session)
        if let error = session.error { throw error }
        if let failure { throw failure }
        guard let result = session.handler as? Handler else { return passed.truncation }
        handler = result
        return passed.truncation
    }

    private static func feed(_ bytes: XMLBytes, _ passed: XMLByteGuard.Passed, to session: SAXSession) -> XMLFault? {
        var callbacks = SAXSession.callbacks
        let user = Unmanaged.passUnretained(session).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&callbacks, user, nil, 0, nil) else {
            return XMLFault(line: 1, column: 1, reason: "the parser cannot be created")
        }
        defer {
            xmlFreeDoc(context.pointee.myDoc)
            xmlFreeParserCtxt(context)
        }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(context, Int32(options))
        var pieces = [passed.content]
        if let left = passed.documentType {
            // The lines inside of it are kept, so that places in messages stay right.
            pieces = [passed.content.lowerBound..<left.lowerBound, left.upperBound..<passed.content.upperBound]
        }
        for (number, piece) in pieces.enumerated() {
            if number > 0, let left = passed.documentType {
                let lines = [UInt8](repeating: 0x0A, count: bytes[left].count { $0 == 0x0A })
                lines.withUnsafeBufferPointer { push($0, to: context) }
            }
            var start = piece.lowerBound
            while start < piece.upperBound, session.error == nil {
                let end = min(piece.upperBound, start + pieceSize)
                push(XMLBytes(rebasing: bytes[start..<end]), to: context)
                start = end
                if let reason = session.handler.fault {
                    return XMLFault(at: start, of: bytes, reason: reason)
                }
            }
        }
        if session.error == nil, passed.truncation == nil { xmlParseChunk(context, nil, 0, 1) }
        return nil
    }

    private static func push(_ bytes: XMLBytes, to context: xmlParserCtxtPtr) {
        bytes.withMemoryRebound(to: CChar.self) { piece in
            _ = xmlParseChunk(context, piece.baseAddress, Int32(piece.count), 0)
        }
    }
}

/// What one run of the parser shares with its callbacks.
private final class SAXSession {
    var handler: any XMLHandler
    var error: XMLFault?

    init(_ handler: any XMLHandler) { self.handler = handler }

    /// Resolves what libxml2 leaves: an ampersand is written `&#38;` unless entities are substituted, which is never asked.
    ///
    /// - Parameter fields: Five pointers an attribute: name, prefix, namespace, first byte of the value, behind its last.
    func start(_ name: XMLBytes, _ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
        var resolved: [UInt8] = []
        var ranges: [(name: XMLBytes, value: Range<Int>)] = []
        for index in 0..<count {
            guard let fields, let local = fields[index * 5], fields[index * 5 + 1] == nil,
                let first = fields[index * 5 + 3], let end = fields[index * 5 + 4]
            else { continue }
            let start = resolved.count
            let value = XMLBytes(start: first, count: end - first)
            var place = 0
            while place < value.count {
                resolved.append(value[place])
                place += value[place] == UInt8(ascii: "&") && value[place...].starts(with: "&#38;".utf8) ? 5 : 1
            }
            ranges.append((XMLBytes(start: local, count: Int(xmlStrlen(local))), start..<resolved.count))
        }
        resolved.withUnsafeBufferPointer { resolved in
            let attributes = ranges.map { XMLAttribute(name: $0.name, value: XMLBytes(rebasing: resolved[$0.value])) }
            attributes.withUnsafeBufferPointer { handler.start(name, XMLAttributes($0)) }
        }
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> SAXSession? {
        pointer.map { Unmanaged<SAXSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The callbacks that are set; all others stay empty, so that libxml2 has nothing to load or to build with.
    static var callbacks: xmlSAXHandler {
        var callbacks = xmlSAXHandler()
        callbacks.initialized = UInt32(XML_SAX2_MAGIC)
        callbacks.startElementNs = { user, name, _, _, _, _, attributeCount, _, attributes in
            guard let session = SAXSession.of(user), let name else { return }
            session.start(XMLBytes(start: name, count: Int(xmlStrlen(name))), attributes, Int(attributeCount))
        }
        callbacks.endElementNs = { user, _, _, _ in SAXSession.of(user)?.handler.end() }
        callbacks.characters = { user, text, count in
            SAXSession.of(user)?.handler.text(XMLBytes(start: text, count: Int(count)))
        }
        callbacks.ignorableWhitespace = callbacks.characters
        callbacks.cdataBlock = callbacks.characters
        callbacks.serror = { user, error in
            guard let session = SAXSession.of(user), session.error == nil, let error = error?.pointee,
                error.level == XML_ERR_FATAL
            else { return }
            var reason = error.message.map { String(cString: $0) } ?? "error \(error.code)"
            while reason.last?.isWhitespace == true { reason.removeLast() }
            session.error = XMLFault(
                line: max(1, Int(error.line)), column: max(1, Int(error.int2)), reason: reason
            )
        }
        return callbacks
    }
}
