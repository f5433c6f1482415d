/// Percent-encoding of addresses and header fields (RFC 3986).
public enum PercentEncoding {
    /// The text with every byte as `%XX` but the unreserved ones: letters and digits of ASCII, `-`, `.`, `_` and `~`.
    ///
    /// - Parameter keepsSlashes: Whether `/` stays as it is, too, which a query and a path may have.
    public static func encode(_ text: String, keepsSlashes: Bool = true) -> String {
        encode(text) { isUnreserved($0) || keepsSlashes && $0 == UInt8(ascii: "/") }
    }

    /// A relative path as a reference: what a step of a path may have stays as it is, but for the colon, which would begin a scheme.
    public static func path(_ text: String) -> String {
        encode(text) { isUnreserved($0) || $0 == UInt8(ascii: "/") || pathMarks.contains($0) }
    }

    private static let pathMarks = Array("!$&'()*+,;=@".utf8)

    private static func encode(_ text: String, except isPlain: (UInt8) -> Bool) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isPlain(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The decoded text; `nil` for a broken escape and for bytes that are not UTF-8. `+` is a space, as in forms.
    public static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
