/// A hash that is the same in every process and on every machine; not cryptographic.
///
/// FNV-1a of 64 bits.
public struct StableHash: Sendable {
    /// The hash of all bytes so far. Its low bits alone are poorly distributed.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of no bytes.
    public init() {}

    /// The hash of a text in UTF-8.
    public init(_ text: String) { combine(text.utf8) }

    /// Adds more bytes.
    public mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The hash in sixteen hexadecimal digits.
    public var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
