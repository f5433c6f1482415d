import Cryptography

/// The number by which LLVM's profiles name a function: the lower half of the MD5 of its name.
enum NameDigest {
    /// The digest of these bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        MD5.hash(bytes).withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}
