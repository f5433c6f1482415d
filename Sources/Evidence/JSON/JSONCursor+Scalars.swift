extension JSONCursor {
    /// Reads a string.
    package mutating func string() throws(JSONFault) -> String {
        skipSpace()
        let raw = try rawString()
        guard !raw.hasEscapes else { return try decode(raw.bytes) }
        guard let text = String(validating: raw.bytes, as: UTF8.self) else { throw invalidUTF8(in: raw.bytes) }
        return text
    }

    /// Passes over a string, checking its bytes and escapes.
    mutating func skipString() throws(JSONFault) {
        let raw = try rawString()
        if raw.hasEscapes { _ = try decode(raw.bytes) } else { try check(raw) }
    }

    /// Refuses a string without escapes that is not UTF-8.
    func check(_ raw: RawString) throws(JSONFault) {
        if !raw.isASCII, raw.bytes.firstInvalidUTF8 != nil { throw invalidUTF8(in: raw.bytes) }
    }

    /// Reads a number as a `Double`; a number too large for one is infinite.
    package mutating func double() throws(JSONFault) -> Double {
        let text = try number()
        return Double(String(decoding: text, as: UTF8.self)) ?? .nan
    }

    /// Reads a number that has to be an integer of this machine.
    package mutating func integer() throws(JSONFault) -> Int {
        let start = offset
        let text = try number()
        guard let value = Int(String(decoding: text, as: UTF8.self)) else { throw fault("not an integer", at: start) }
        return value
    }

    /// Reads a whole number of 0 or more; one past 2^64-1 becomes 2^64-1.
    package mutating func count() throws(JSONFault) -> UInt64 {
        skipSpace()
        let start = offset
        var (place, value) = (start, UInt64(0))
        while place < bytes.count {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            place += 1
        }
        guard place > start else { throw unexpected("a count") }
        guard bytes[start] != UInt8(ascii: "0") || place == start + 1 else {
            throw fault("a number with a zero in front", at: start)
        }
        offset = place
        // 19 digits always fit.
        if place - start > 19 { value = UInt64(String(decoding: bytes[start..<place], as: UTF8.self)) ?? .max }
        return value
    }

    /// Passes over a number and returns its text.
    mutating func number() throws(JSONFault) -> UnsafeBufferPointer<UInt8> {
        skipSpace()
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") { offset += 1 } else { try digits("a value") }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try digits("a digit")
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits("a digit")
        }
        return UnsafeBufferPointer(rebasing: bytes[start..<offset])
    }

    private mutating func digits(_ what: StaticString) throws(JSONFault) {
        var place = offset
        while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
        if place == offset { throw unexpected(what) }
        offset = place
    }

    /// What stands between the quotes of a string.
    struct RawString {
        let bytes: UnsafeBufferPointer<UInt8>
        let hasEscapes: Bool
        /// Whether it has neither escapes nor bytes above 0x7F, so that nothing is left to check.
        let isASCII: Bool
    }

    /// Passes over a string.
    mutating func rawString() throws(JSONFault) -> RawString {
        try expect(UInt8(ascii: "\""), "a string")
        let start = offset
        var place = start
        var hasEscapes = false
        var all: UInt8 = 0
        let end = min(bytes.count, start + Self.stringLimit + 1)
        while place < end {
            let byte = bytes[place]
            all |= byte
            switch byte {
            case UInt8(ascii: "\""):
                offset = place + 1
                let raw = UnsafeBufferPointer(rebasing: bytes[start..<place])
                return RawString(bytes: raw, hasEscapes: hasEscapes, isASCII: !hasEscapes && all < 0x80)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                place += 2
            case 0..<0x20:
                throw fault("a control character in a string", at: place)
            default:
                place += 1
            }
        }
        guard end == bytes.count else { throw tooMany("bytes in a string", Self.stringLimit) }
        offset = bytes.count
        throw unexpected("the end of a string")
    }

    /// Resolves the escapes of a raw string.
    func decode(_ raw: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                index += 1
                continue
            }
            guard index + 1 < raw.count else { throw fault("an escape without its letter") }
            switch raw[index + 1] {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(raw[index + 1])
            case UInt8(ascii: "u"):
                index = try unicode(raw, at: index, into: &result)
                continue
            default: throw fault("an unknown escape")
            }
            index += 2
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw invalidUTF8(in: raw) }
        return text
    }

    /// Resolves `\uXXXX`, with its second half where it is a surrogate; a lone half becomes U+FFFD.
    private func unicode(
        _ raw: UnsafeBufferPointer<UInt8>,
        at index: Int,
        into result: inout [UInt8]
    ) throws(JSONFault) -> Int {
        let unit = try hexadecimal(raw, at: index + 2)
        var next = index + 6
        var scalar = UnicodeScalar(UInt32(unit))
        if (0xD800..<0xDC00).contains(unit), next + 1 < raw.count, raw[next] == UInt8(ascii: "\\"),
            raw[next + 1] == UInt8(ascii: "u")
        {
            let low = try hexadecimal(raw, at: next + 2)
            if (0xDC00..<0xE000).contains(low) {
                scalar = UnicodeScalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
                next += 6
            }
        }
        result.append(contentsOf: String(scalar ?? "\u{FFFD}").utf8)
        return next
    }

    private func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONFault) -> UInt16 {
        guard start + 4 <= raw.count else { throw fault("an escape without four hexadecimal digits") }
        var value: UInt16 = 0
        for byte in raw[start..<start + 4] {
            guard let digit = UnicodeScalar(byte).hexadecimalValue else {
                throw fault("an escape without four hexadecimal digits")
            }
            value = value << 4 | digit
        }
        return value
    }

    func invalidUTF8(in raw: UnsafeBufferPointer<UInt8>) -> JSONFault {
        let start = raw.baseAddress.flatMap { inner in bytes.baseAddress.map { inner - $0 } } ?? offset
        return fault("a string that is not UTF-8", at: start)
    }
}

extension UnicodeScalar {
    /// The value of a hexadecimal digit in ASCII.
    fileprivate var hexadecimalValue: UInt16? {
        switch self {
        case "0"..."9": UInt16(value) - 0x30
        case "a"..."f": UInt16(value) - 0x61 + 10
        case "A"..."F": UInt16(value) - 0x41 + 10
        default: nil
        }
    }
}
