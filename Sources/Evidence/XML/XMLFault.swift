import Foundation

/// Bytes of an XML document, valid only while the parser is at them.
package typealias XMLBytes = UnsafeBufferPointer<UInt8>

/// Why a document was refused.
package struct XMLFault: Error, Equatable {
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in bytes.
    let column: Int
    /// A lower-case fragment.
    package let reason: String
    /// Whether the document ended where more was expected.
    package let isTruncation: Bool
    /// Whether there is more of something than is read.
    package let isLimit: Bool

    init(line: Int, column: Int, reason: String, isTruncation: Bool = false, isLimit: Bool = false) {
        self.line = line
        self.column = column
        self.reason = reason
        self.isTruncation = isTruncation
        self.isLimit = isLimit
    }

    init(
        at offset: Int, of document: LentBytes, reason: String, isTruncation: Bool = false, isLimit: Bool = false
    ) {
        let place = TextPosition(of: offset, in: document)
        self.init(
            line: place.line, column: place.column, reason: reason, isTruncation: isTruncation, isLimit: isLimit)
    }
}

extension EvidenceError {
    /// The fault of a document, with its file.
    package init(_ fault: XMLFault, file: String) {
        if fault.isLimit {
            self = .tooLarge(file: file, reason: "line \(fault.line): \(fault.reason)")
        } else if fault.isTruncation {
            self = .truncated(file: file, line: fault.line, reason: fault.reason)
        } else {
            self = .malformed(file: file, line: fault.line, column: fault.column, reason: fault.reason)
        }
    }
}

extension XMLBytes {
    /// Compares with a name written in the source.
    package func equals(_ name: StaticString) -> Bool {
        equals(XMLBytes(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// Compares with a name written in the source in lower case, whatever the case of this one.
    package func equals(ignoringCase name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        return zip(self, XMLBytes(start: name.utf8Start, count: count)).allSatisfy { own, lower in
            own == lower || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(own) && own | 0x20 == lower
        }
    }

    /// Where a byte first occurs in a range.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = baseAddress, let found = memchr(base + range.lowerBound, Int32(byte), range.count) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Compares byte by byte.
    package func equals(_ other: XMLBytes) -> Bool {
        guard count == other.count, let base = baseAddress, let start = other.baseAddress else {
            return count == other.count
        }
        return memcmp(base, start, count) == 0
    }
}

/// An attribute by its name without a prefix; its value is as it is meant, references resolved.
struct XMLAttribute {
    let name: XMLBytes
    let value: XMLBytes
}

/// The attributes of one element, borrowed from the parser.
package struct XMLAttributes {
    private let attributes: UnsafeBufferPointer<XMLAttribute>

    init(_ attributes: UnsafeBufferPointer<XMLAttribute>) { self.attributes = attributes }

    /// Whether there are none.
    package var isEmpty: Bool { attributes.isEmpty }

    /// The value of an attribute.
    package subscript(name: StaticString) -> XMLBytes? {
        for attribute in attributes where attribute.name.equals(name) { return attribute.value }
        return nil
    }

    /// The value of an attribute whose name is written in the source in lower case, whatever its case here.
    package func value(ignoringCase name: StaticString) -> XMLBytes? {
        self[name] ?? attributes.first { $0.name.equals(ignoringCase: name) }?.value
    }

    /// Calls `body` with every name and value: those without a prefix in their order, then the others.
    package func forEach(_ body: (_ name: XMLBytes, _ value: XMLBytes) -> Void) {
        for attribute in attributes { body(attribute.name, attribute.value) }
    }

    /// The value of an attribute as text.
    package func text(_ name: StaticString) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }
}
