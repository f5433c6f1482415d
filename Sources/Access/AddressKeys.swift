import Cryptography
public import Evidence
import Foundation

/// The keys with which single addresses of a project can be read without a token: its badge, so that a README can show it, and its
/// feed, because feed readers send no token.
///
/// A key opens nothing else, and tells nothing of another address or project.
public struct AddressKeys: Sendable {
    /// What a key opens.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// The state of the project, as a picture.
        case badge
        /// The tests that began to fail.
        case feed
    }

    private let secret: [UInt8]

    /// Reads the secret that all keys are derived from, and makes one if there is none. Removing the file invalidates all keys.
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

    /// The key of an address of a project: 128 bits as 32 hexadecimal digits.
    public func key(of project: String, for purpose: Purpose) -> String {
        MessageCode.of("\(purpose.rawValue) \(project)".utf8, key: secret).prefix(16).hexadecimal
    }

    /// Whether a key opens this address of the project. The time of the comparison does not depend on the key.
    public func opens(_ key: String, _ purpose: Purpose, of project: String) -> Bool {
        TokenSecret.isEqual(key, self.key(of: project, for: purpose))
    }
}
