internal import CLibXML2
import Foundation

/// What the parser tells about a document; a pure state machine that knows no parser.
package protocol XMLHandler {
    /// An element begins.
    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes)
    /// Text inside of the innermost element; may come in pieces.
    mutating func text(_ bytes: XMLBytes)
    /// The innermost element ends.
    mutating func end()
    /// Why the document has to be refused, if it has.
    var fault: String? { get }
    /// What it keeps is counted here.
    var budget: EvidenceBudget { get }
}

/// Drives libxml2's SAX2 push parser: the only file in which its pointers exist.
///
/// No tree is built, no entity is known beyond the five of XML itself, nothing is loaded, and the limits of
/// `XMLByteGuard` hold before the parser sees a byte. The memory it takes does not grow with the document.
package enum XMLPushParser {
    private static let pieceSize = 64 << 10
    /// How many different names of elements and attributes a document may have: libxml2 finds each in chains that grow with them.
    private static let mostNames: Int32 = 100_000

    /// The version of the library that is loaded, such as `2.9.14`; it calls itself `20914`, some builds with a word behind it.
    package static var libraryVersion: String {
        let number = Int(String(cString: clibxml2_loaded_version()).prefix { $0.isNumber }) ?? 0
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// Parses a document into a handler.
    ///
    /// - Parameters:
    ///   - isPartialAllowed: Whether a document that is cut short is read as far as it goes.
    ///   - each: Is called with the handler after each piece of the document, so that it may hand on what it has.
    /// - Returns: Where and why the document is incomplete, if that is allowed.
    package static func parse<Handler: XMLHandler>(
        _ document: LentBytes,
        into handler: inout Handler,
        documentType: XMLByteGuard.DocumentType,
        isPartialAllowed: Bool,
        each: (inout Handler) -> Void = { _ in }
    ) throws(XMLFault) -> XMLFault? {
        let passed = try XMLByteGuard.check(document, documentType: documentType)
        if let truncation = passed.truncation, !isPartialAllowed { throw truncation }
        let failure = withUnsafeMutablePointer(to: &handler) { handler in
            feed(document, passed, to: HandlerSession(handler), each: { each(&handler.pointee) })
        }
        if let failure { throw failure }
        return passed.truncation
    }

    private static func feed(
        _ document: LentBytes, _ passed: XMLByteGuard.Passed, to session: SAXSession, each: () -> Void
    ) -> XMLFault? {
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
        let bytes = document.bytes
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
            while start < piece.upperBound {
                let end = min(piece.upperBound, start + pieceSize)
                push(XMLBytes(rebasing: bytes[start..<end]), to: context)
                if let error = session.error { return error }
                if let reason = session.fault { return XMLFault(at: end, of: document, reason: reason) }
                if xmlDictSize(context.pointee.dict) > mostNames {
                    let reason = "more than \(mostNames) different names of elements and attributes"
                    return XMLFault(at: end, of: document, reason: reason, isLimit: true)
                }
                if session.budget.isSpent {
                    return XMLFault(at: end, of: document, reason: session.budget.reason, isLimit: true)
                }
                each()
                start = end
                if start & 0xF_FFFF < pieceSize { document.release(start) }
            }
        }
        if passed.truncation == nil { xmlParseChunk(context, nil, 0, 1) }
        if let error = session.error { return error }
        each()
        return nil
    }

    private static func push(_ bytes: XMLBytes, to context: xmlParserCtxtPtr) {
        bytes.withMemoryRebound(to: CChar.self) { piece in
            _ = xmlParseChunk(context, piece.baseAddress, Int32(piece.count), 0)
        }
    }
}

/// A run of the parser with the handler that it tells.
private final class HandlerSession<Handler: XMLHandler>: SAXSession {
    // Lent for the run of the parser, so that millions of callbacks need not check that nobody else is at it.
    private let handler: UnsafeMutablePointer<Handler>

    init(_ handler: UnsafeMutablePointer<Handler>) {
        self.handler = handler
        super.init(handler.pointee.budget)
    }

    override var fault: String? { handler.pointee.fault }
    override func start(_ name: XMLBytes, _ attributes: XMLAttributes) { handler.pointee.start(name, attributes) }
    override func text(_ bytes: XMLBytes) { handler.pointee.text(bytes) }
    override func end() { handler.pointee.end() }
}

/// What one run of the parser shares with its callbacks, which know no generic types.
private class SAXSession {
    var error: XMLFault?
    let budget: EvidenceBudget

    init(_ budget: EvidenceBudget) { self.budget = budget }

    var fault: String? { nil }
    func start(_ name: XMLBytes, _ attributes: XMLAttributes) {}
    func text(_ bytes: XMLBytes) {}
    func end() {}

    /// Resolves what libxml2 leaves: an ampersand is written `&#38;` unless entities are substituted, which is never asked.
    ///
    /// An attribute with a prefix means what its name does without one, unless there is such a one, too: those come last.
    ///
    /// - Parameter fields: Five pointers an attribute: name, prefix, namespace, first byte of the value, behind its last.
    func start(_ name: XMLBytes, _ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
        var resolved: [UnsafeMutableBufferPointer<UInt8>] = []
        defer { for value in resolved { value.deallocate() } }
        withUnsafeTemporaryAllocation(of: XMLAttribute.self, capacity: count) { attributes in
            var (known, pass, passes) = (0, 0, 1)
            while pass < passes {
                for index in 0..<count {
                    guard let fields, let local = fields[index * 5], let first = fields[index * 5 + 3],
                        let end = fields[index * 5 + 4]
                    else { continue }
                    let prefix = fields[index * 5 + 1]
                    if prefix != nil { passes = 2 }
                    guard (prefix == nil) == (pass == 0), !Self.isOfXML(prefix) else { continue }
                    var value = XMLBytes(start: first, count: end - first)
                    if value.firstIndex(of: UInt8(ascii: "&"), in: 0..<value.count) != nil {
                        let copy = Self.resolved(value)
                        resolved.append(copy.all)
                        value = XMLBytes(rebasing: copy.all[..<copy.count])
                    }
                    attributes.initializeElement(
                        at: known,
                        to: XMLAttribute(name: XMLBytes(start: local, count: Int(xmlStrlen(local))), value: value))
                    known += 1
                }
                pass += 1
            }
            start(name, XMLAttributes(UnsafeBufferPointer(rebasing: attributes[..<known])))
        }
    }

    /// Whether a prefix is one of XML itself or of its schemas: what it stands before says nothing of a report.
    private static func isOfXML(_ prefix: UnsafePointer<UInt8>?) -> Bool {
        guard let prefix else { return false }
        let name = XMLBytes(start: prefix, count: Int(xmlStrlen(prefix)))
        return name.equals("xml") || name.equals("xsi")
    }

    /// A copy of a value, for the caller to free, and how much of it is used.
    private static func resolved(_ value: XMLBytes) -> (all: UnsafeMutableBufferPointer<UInt8>, count: Int) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: value.count)
        var (place, count) = (0, 0)
        while place < value.count {
            copy.initializeElement(at: count, to: value[place])
            count += 1
            place += value[place] == UInt8(ascii: "&") && value[place...].starts(with: "&#38;".utf8) ? 5 : 1
        }
        return (copy, count)
    }

    /// The session that a callback is for. It outlives the parser, so the millions of callbacks need not keep it alive.
    static func with(_ pointer: UnsafeMutableRawPointer?, _ body: (SAXSession) -> Void) {
        guard let pointer else { return }
        Unmanaged<SAXSession>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    /// The callbacks that are set; all others stay empty, so that libxml2 has nothing to load or to build with.
    static var callbacks: xmlSAXHandler {
        var callbacks = xmlSAXHandler()
        callbacks.initialized = UInt32(XML_SAX2_MAGIC)
        callbacks.startElementNs = { user, name, _, _, _, _, attributeCount, _, attributes in
            guard let name else { return }
            let bytes = XMLBytes(start: name, count: Int(xmlStrlen(name)))
            SAXSession.with(user) { $0.start(bytes, attributes, Int(attributeCount)) }
        }
        callbacks.endElementNs = { user, _, _, _ in SAXSession.with(user) { $0.end() } }
        callbacks.characters = { user, text, count in
            SAXSession.with(user) { $0.text(XMLBytes(start: text, count: Int(count))) }
        }
        callbacks.ignorableWhitespace = callbacks.characters
        callbacks.cdataBlock = callbacks.characters
        callbacks.serror = { user, error in
            guard let error = error?.pointee, error.level == XML_ERR_FATAL else { return }
            var reason = error.message.map { String(cString: $0) } ?? "error \(error.code)"
            while reason.last?.isWhitespace == true { reason.removeLast() }
            let fault = XMLFault(line: max(1, Int(error.line)), column: max(1, Int(error.int2)), reason: reason)
            SAXSession.with(user) { $0.error = $0.error ?? fault }
        }
        return callbacks
    }
}
