/// Unsigned integers with seven bits in each byte, least significant first (LEB128).
enum Varint {
    /// The most bytes of an integer.
    static let longest = 10

    /// Appends `value`.
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Takes one integer from the front; throws if there is none or it does not fit 64 bits.
    static func take(from bytes: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || (shift == 63 && part <= 1) else { throw UnreadableContent("an integer is too long") }
            value |= part << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw UnreadableContent("an integer ends before its end")
    }

    /// All integers of a list.
    static func list(_ bytes: [UInt8]) throws -> [UInt64] {
        var rest = bytes[...]
        var values: [UInt64] = []
        values.reserveCapacity(bytes.count)
        while !rest.isEmpty { values.append(try take(from: &rest)) }
        return values
    }

    /// Appends a signed integer, short for small absolute values.
    static func append(zigzag value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: (value << 1) ^ (value >> 63)), to: &bytes)
    }

    /// Takes a signed integer.
    static func takeZigzag(from bytes: inout ArraySlice<UInt8>) throws -> Int64 {
        let value = try take(from: &bytes)
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Takes a number and then that many bytes.
    static func takeList(from bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        var rest = bytes
        let count = try take(from: &rest)
        guard count <= UInt64(rest.count) else { throw UnreadableContent("a list is longer than what holds it") }
        bytes = rest.dropFirst(Int(count))
        return rest.prefix(Int(count))
    }
}
