import Cryptography
public import Evidence
import Foundation

/// The keys with which the badges of single projects can be seen without a token, so that a README can show them.
///
/// A key opens nothing else, and tells nothing of another project's.
public struct BadgeKeys: Sendable {
    private let secret: [UInt8]

    /// Reads the secret that all keys come from, and makes it if there is none. Whoever removes the file ends all keys.
    ///
    /// - Throws: `EvidenceError` if the file cannot be read or written.
    public init(path: String) throws(EvidenceError) {
        let fresh = RandomBytes.make(32)
        if try SmallFile.create(path, with: fresh) {
            secret = fresh
            return
        }
        guard let kept = try SmallFile.read(path, limit: 1 << 10), kept.count == fresh.count else {
            throw .unreadable(path: path, reason: "it is not a secret of 32 bytes; without the file, a new one is made")
        }
        secret = kept
    }

    /// The key of a project's badge: 128 bits as 32 hexadecimal digits.
    public func key(of project: String) -> String {
        MessageCode.of("badge \(project)".utf8, key: secret).prefix(16).hexadecimal
    }

    /// Whether a key is that of the project, found in a time that does not depend on it.
    public func opens(_ key: String, _ project: String) -> Bool { TokenSecret.isEqual(key, self.key(of: project)) }
}
