import CCryptography

/// HMAC with SHA-256: only who has the key can make the code of a message (RFC 2104).
public enum MessageCode {
    /// The 32 bytes of the code of a message.
    public static func of(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let message = Array(message)
        var code = [UInt8](repeating: 0, count: 32)
        let isMade = kanmon_hmac_sha256(key, key.count, message, message.count, &code) == 1
        precondition(isMade, "libcrypto makes no code")
        return code
    }
}

/// Bytes that nobody can guess.
public enum RandomBytes {
    /// That many of them, from the generator of libcrypto, which the kernel seeds.
    public static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(kanmon_random(&bytes, count) == 1, "libcrypto has no random bytes")
        return bytes
    }
}
