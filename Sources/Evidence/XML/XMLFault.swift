/// Bytes of an XML document, valid only while the parser is at them.
typealias XMLBytes = UnsafeBufferPointer<UInt8>

/// Why a document was refused.
struct XMLFault: Error, Equatable {
    /// Counted from 1.
    let line: Int
    /// Counted from 1, in bytes.
    let column: Int
    /// A lower-case fragment.
    let reason: String
    /// Whether the document ended where more was expected.
    let isTruncation: Bool

    init(line: Int, column: Int, reason: String, isTruncation: Bool = false) {
        self.line = line
        self.column = column
        self.reason = reason
        self.isTruncation = isTruncation
    }

    init(at offset: Int, of bytes: XMLBytes, reason: String, isTruncation: Bool = false) {
        let place = TextPosition(of: offset, in: bytes)
        self.init(line: place.line, column: place.column, reason: reason, isTruncation: isTruncation)
    }
}

extension XMLBytes {
    /// Compares with a name written in the source.
    func equals(_ name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount
            && elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

/// The attributes of one element, borrowed from the parser.
struct XMLAttributes {
    /// Five pointers an attribute: name, prefix, namespace, the first byte of the value, the byte behind its last.
    let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    let count: Int

    /// The value of an attribute without a prefix, as the parser gives it: every ampersand is written `&#38;`.
    subscript(name: StaticString) -> XMLBytes? {
        guard let fields else { return nil }
        for index in 0..<count {
            let field = fields + index * 5
            guard let local = field[0], field[1] == nil, let start = field[3], let end = field[4] else { continue }
            if name.equals(nullTerminated: local) { return XMLBytes(start: start, count: end - start) }
        }
        return nil
    }

    /// The value of an attribute as text.
    func text(_ name: StaticString) -> String? { self[name].map(Self.text) }

    /// The text of a value. libxml2 resolves an ampersand only where it substitutes entities, which is never asked of it.
    static func text(_ value: XMLBytes) -> String {
        guard value.contains(UInt8(ascii: "&")) else { return String(decoding: value, as: UTF8.self) }
        var result: [UInt8] = []
        var index = 0
        while index < value.count {
            result.append(value[index])
            index += value[index] == UInt8(ascii: "&") && value[index...].starts(with: "&#38;".utf8) ? 5 : 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension StaticString {
    fileprivate func equals(nullTerminated other: UnsafePointer<UInt8>) -> Bool {
        for index in 0..<utf8CodeUnitCount where other[index] != utf8Start[index] { return false }
        return other[utf8CodeUnitCount] == 0
    }
}
