/// The name of a git object: 40 or 64 lower-case hexadecimal digits.
public struct ObjectID: Sendable, Hashable, CustomStringConvertible {
    /// The digits.
    public let hexadecimal: String

    private init(hexadecimal: String) {
        self.hexadecimal = hexadecimal
    }

    /// Accepts 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits and nothing else.
    public init?(_ text: some StringProtocol) {
        self.init(bytes: text.utf8)
    }

    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 40 || bytes.count == 64 else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        guard bytes.allSatisfy({ digits.contains($0) || letters.contains($0) }) else { return nil }
        hexadecimal = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it is all zeros, git's way to say "there is none".
    var isZero: Bool { hexadecimal.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }

    /// Zeros of the same length.
    var zero: ObjectID { ObjectID(hexadecimal: String(repeating: "0", count: hexadecimal.utf8.count)) }

    /// The digits.
    public var description: String { hexadecimal }
}
