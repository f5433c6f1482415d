import Cryptography
import Evidence

/// The secret of a token as a person or a CI server has it: `kanmon_`, 256 random bits, and a checksum that reveals a cut or
/// mistyped secret.
public struct TokenSecret: Sendable {
    /// How every secret begins, so that scanners of sources find one that was committed.
    public static let prefix = "kanmon_"
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// Digits of base 62 that hold 256 bits, and 32 bits.
    private static let (randomDigits, checkDigits) = (43, 6)

    /// The secret. It must be in no address, log or file but the user's own.
    public let text: String

    /// Makes a secret of random bytes.
    public init(using generator: inout some RandomNumberGenerator) {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let stem = Self.prefix + Self.digits(of: bytes, count: Self.randomDigits)
        text = stem + Self.checksum(of: stem)
    }

    /// Reads a secret; `nil` for a text of another form or with a wrong checksum.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.prefix.utf8.count + Self.randomDigits + Self.checkDigits,
            bytes.starts(with: Self.prefix.utf8),
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.alphabet.contains)
        else { return nil }
        let stem = String(decoding: bytes.dropLast(Self.checkDigits), as: UTF8.self)
        guard stem + Self.checksum(of: stem) == text else { return nil }
        self.text = text
    }

    /// SHA-256 of the text: 64 lower-case hexadecimal digits.
    public var sha256: String { Digest.sha256(Array(text.utf8)) }

    /// Compares two texts in a time that depends on their lengths only.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func checksum(of stem: String) -> String {
        digits(of: Array(SHA256.hash(stem.utf8).prefix(4)), count: checkDigits)
    }

    /// A number, its highest byte first, in base 62.
    private static func digits(of bytes: [UInt8], count: Int) -> String {
        var number = bytes
        var digits: [UInt8] = []
        for _ in 0..<count {
            var rest = 0
            for index in number.indices {
                let value = rest << 8 | Int(number[index])
                number[index] = UInt8(truncatingIfNeeded: value / 62)
                rest = value % 62
            }
            digits.append(alphabet[rest])
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}
