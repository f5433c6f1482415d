import Crypto

/// SHA-256 as lower-case hexadecimal.
public struct Digest {
    private var hash = SHA256()

    /// Takes more bytes.
    mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// Takes more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest of all bytes so far.
    var text: String { Self.hexadecimal(hash.finalize()) }

    /// The digest of bytes.
    public static func sha256(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text is 64 lower-case hexadecimal digits, and therefore safe as a file name.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
