import CCryptography

/// SHA-256 of bytes that come in pieces (FIPS 180-4).
public struct SHA256 {
    private var digest: RunningDigest

    /// The digest of nothing so far.
    public init() { digest = RunningDigest(kanmon_sha256) }

    /// Takes more bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&digest) { digest = digest.copy() }
        digest.update(bytes)
    }

    /// Takes more bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The 32 bytes of the digest of what was taken so far; more can be taken afterwards.
    public func finalize() -> [UInt8] { digest.copy().end(32) }

    /// The 32 bytes of the digest of these bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest.end(32)
    }
}

/// MD5, only where a format of others demands it: nothing may rely on it (RFC 1321).
public enum MD5 {
    /// The 16 bytes of the digest.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let digest = RunningDigest(kanmon_md5)
        digest.update(bytes)
        return digest.end(16)
    }
}

/// A digest of libcrypto that is being made. Its calls fail only without memory, and where a digest is switched off.
private final class RunningDigest {
    private let pointer: OpaquePointer

    init(_ kind: kanmon_digest_kind) {
        guard let pointer = kanmon_digest_new(kind) else { preconditionFailure("libcrypto begins no digest") }
        self.pointer = pointer
    }

    private init(copyOf other: OpaquePointer) {
        guard let pointer = kanmon_digest_copy(other) else { preconditionFailure("libcrypto copies no digest") }
        self.pointer = pointer
    }

    deinit { kanmon_digest_free(pointer) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(kanmon_digest_update(pointer, bytes.baseAddress, bytes.count) == 1, "libcrypto makes no digest")
    }

    func copy() -> RunningDigest { RunningDigest(copyOf: pointer) }

    /// The digest; nothing can be taken afterwards.
    func end(_ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        precondition(kanmon_digest_end(pointer, &result) == 1, "libcrypto ends no digest")
        return result
    }
}
