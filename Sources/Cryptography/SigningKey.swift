import CCryptography

/// A private key of Ed25519, which signs messages (RFC 8032).
public struct SigningKey: Sendable {
    /// How many bytes a key has, and its public half.
    public static let count = 32

    /// The bytes of the key.
    public let bytes: [UInt8]
    /// The bytes of the public half.
    public let publicBytes: [UInt8]

    /// A fresh key.
    public init() {
        guard let key = SigningKey(RandomBytes.make(Self.count)) else { preconditionFailure("libcrypto makes no key") }
        self = key
    }

    /// A key of 32 bytes; `nil` for any other number.
    public init?(_ bytes: [UInt8]) {
        var half = [UInt8](repeating: 0, count: Self.count)
        guard bytes.count == Self.count, kanmon_ed25519_public(bytes, &half) == 1 else { return nil }
        self.bytes = bytes
        publicBytes = half
    }

    /// The 64 bytes of the signature of a message; `nil` if libcrypto makes none.
    public func signature(of message: some Sequence<UInt8>) -> [UInt8]? {
        let message = Array(message)
        var signature = [UInt8](repeating: 0, count: 64)
        return kanmon_ed25519_sign(bytes, message, message.count, &signature) == 1 ? signature : nil
    }

    /// Whether a message was signed with the private half of a key, and is as it was signed.
    public static func verifies(_ signature: [UInt8], of message: some Sequence<UInt8>, publicBytes: [UInt8]) -> Bool {
        guard signature.count == 64, publicBytes.count == count else { return false }
        let message = Array(message)
        return kanmon_ed25519_verify(publicBytes, signature, message, message.count) == 1
    }
}
