import Cryptography

/// SHA-256 as lower-case hexadecimal.
public struct Digest {
    private var hash = SHA256()

    /// Of no bytes yet.
    package init() {}

    /// Takes more bytes.
    mutating func update(_ bytes: [UInt8]) { hash.update(bytes) }

    /// Takes more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    /// The digest of all bytes so far.
    package var text: String { hash.finalize().hexadecimal }

    /// The digest of bytes.
    public static func sha256(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimal }

    /// Whether a text is 64 lower-case hexadecimal digits, and therefore safe as a file name.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
