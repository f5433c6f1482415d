import struct Foundation.Date

/// The identity of one run: a UUID version 7, so that ids sort by the time the run began.
///
/// Source of the layout: RFC 9562, section 5.7.
public struct RunID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The canonical form: 36 characters, lower case, with hyphens.
    public let description: String

    /// Makes an id from a moment and randomness, both given by the caller.
    ///
    /// - Parameters:
    ///   - milliseconds: Milliseconds since 1970; only the low 48 bits are kept.
    ///   - random: 74 bits are taken from it, the rest is ignored.
    public init(milliseconds: UInt64, random: (UInt64, UInt64)) {
        let high = (milliseconds & 0xFFFF_FFFF_FFFF) << 16 | 0x7000 | (random.0 & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (random.1 & 0x3FFF_FFFF_FFFF_FFFF)
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        text.reserveCapacity(36)
        for (offset, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(offset) { text.append("-") }
            text.append(digit)
        }
        description = text
    }

    /// Reads the canonical form back; anything else is `nil`.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        for (offset, byte) in text.utf8.enumerated() {
            switch offset {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            case 14:
                guard byte == UInt8(ascii: "7") else { return nil }
            default:
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                guard isDigit || isLetter else { return nil }
            }
        }
        description = text
    }

    /// The moment in the id: milliseconds since 1970.
    public var milliseconds: UInt64 { UInt64(description.prefix(13).replacing("-", with: ""), radix: 16) ?? 0 }

    /// The last twelve digits: enough for a person to tell runs apart in a list.
    public var short: String { String(description.suffix(12)) }

    /// Orders by the moment the run began.
    public static func < (left: RunID, right: RunID) -> Bool { left.description < right.description }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension RunID: TextCodable {
    /// What the text has to be, for error messages.
    public static var textKind: String { "a run id" }
}
