/// Characters that XML allows, in UTF-8.
enum XMLCharacter {
    /// Behind a run of ordinary bytes: printable ASCII that is neither `<`, `&` nor `other`.
    static func behindOrdinary(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, or other: UInt8
    ) -> UnsafePointer<UInt8> {
        let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        var place = start
        while end - place >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
            // A byte that is zero after the exclusive or sets its high bit; above it there may be false ones, never below.
            let open = word ^ (ones &* UInt64(UInt8(ascii: "<")))
            let ampersand = word ^ (ones &* UInt64(UInt8(ascii: "&")))
            let third = word ^ (ones &* UInt64(other))
            let equal = ((open &- ones) & ~open) | ((ampersand &- ones) & ~ampersand) | ((third &- ones) & ~third)
            let control = (word &- ones &* 0x20) & ~word
            let hits = (equal | control | word) & highs
            if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < end {
            let byte = place.pointee
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == other {
                break
            }
            place += 1
        }
        return place
    }

    /// Behind one character that is not ASCII, or `start` where it goes on behind `end`; `nil` for anything that must not
    /// be in a document, and for a carriage return, which a parser turns into a line feed.
    static func behind(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let first = start.pointee
        let length: Int
        switch first {
        case 0x20..<0x80: return start + 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return nil
        }
        guard end - start >= length else {
            // Only what may still become a character waits for the rest of it.
            return start
        }
        guard XMLBytes(start: start, count: length).firstInvalidUTF8 == nil else { return nil }
        // U+FFFE and U+FFFF.
        if first == 0xEF, start[1] == 0xBF, start[2] >= 0xBE { return nil }
        return start + length
    }
}

/// A reference to a character: one of the five names, or a number.
struct XMLReference {
    /// The most bytes it may take.
    static let limit = 12

    /// How many bytes it is written with.
    let length: Int
    private let scalar: Unicode.Scalar

    /// Reads the reference that begins at `start`; `nil` where there is none, or where it goes on behind `end`.
    init?(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        var place = start + 1
        let bound = min(end, start + Self.limit)
        while place < bound, place.pointee != UInt8(ascii: ";") { place += 1 }
        guard place < bound else { return nil }
        let name = XMLBytes(start: start + 1, count: place - start - 1)
        guard let scalar = Self.scalar(name) else { return nil }
        self.scalar = scalar
        length = place + 1 - start
    }

    private static func scalar(_ name: XMLBytes) -> Unicode.Scalar? {
        if name.equals("amp") { return "&" }
        if name.equals("lt") { return "<" }
        if name.equals("gt") { return ">" }
        if name.equals("quot") { return "\"" }
        if name.equals("apos") { return "'" }
        guard name.first == UInt8(ascii: "#"), name.count > 1 else { return nil }
        let isHexadecimal = name[1] == UInt8(ascii: "x")
        var value: UInt32 = 0
        let digits = name[(isHexadecimal ? 2 : 1)...]
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal:
                digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal:
                digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil
            }
            value = value * (isHexadecimal ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
            return digits.isEmpty ? nil : Unicode.Scalar(value)
        default: return nil
        }
    }

    /// Lends the character in UTF-8.
    func withBytes<Result>(_ body: (XMLBytes) -> Result) -> Result {
        var bytes: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
        return withUnsafeMutableBytes(of: &bytes) { buffer in
            var count = 0
            for byte in scalar.utf8 {
                buffer[count] = byte
                count += 1
            }
            return body(XMLBytes(start: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count))
        }
    }
}
