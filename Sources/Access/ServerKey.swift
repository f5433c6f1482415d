import Cryptography
import Evidence
import Foundation
public import RunModel
import Synchronization

/// The key with which a server signs its statements about runs. It is made when it is first needed, and lies in a file that only
/// its owner can read.
public final class ServerKey: Sendable {
    /// The largest file that is read, in bytes.
    private static let largest = 1 << 10

    private let path: String
    /// The private key's 32 bytes, once they are known.
    private let known = Mutex<[UInt8]?>(nil)

    /// The key in a file, which need not exist; nothing is read yet.
    public init(path: String) { self.path = path }

    /// The public half.
    ///
    /// - Throws: `AccessError.badKey` if the file is no key or others can read it, `.inaccessible` if it cannot be used.
    public func verifyingKey() throws(AccessError) -> VerifyingKey { VerifyingKey(try privateKey()) }

    /// Signs a text.
    ///
    /// - Throws: What `verifyingKey()` does.
    public func sign(_ text: String) throws(AccessError) -> SignedStatement {
        let key = try privateKey()
        guard let signature = key.signature(of: text.utf8) else {
            throw .badKey(path: path, reason: "it signs nothing")
        }
        return SignedStatement(
            statement: text, key: VerifyingKey(key).id, signature: Data(signature).base64EncodedString())
    }

    private func privateKey() throws(AccessError) -> SigningKey {
        let bytes = try known.withLock { (known) throws(AccessError) -> [UInt8] in
            if let known { return known }
            let bytes: [UInt8]
            if let found = try read() { bytes = found } else { bytes = try make() }
            known = bytes
            return bytes
        }
        guard let key = SigningKey(bytes) else {
            throw .badKey(path: path, reason: "it is no key")
        }
        return key
    }

    /// Makes the file. Another process may do so at the same time, and the first one wins.
    private func make() throws(AccessError) -> [UInt8] {
        let fresh = SigningKey().bytes
        let text = Data(fresh).base64EncodedString() + "\n"
        let isMine: Bool
        do throws(EvidenceError) {
            isMine = try SmallFile.create(path, with: Array(text.utf8))
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        if isMine { return fresh }
        guard let other = try read() else { throw .inaccessible(path: path, reason: "it is gone again") }
        return other
    }

    /// What is in the file; `nil` if there is none.
    private func read() throws(AccessError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .inaccessible(path: path, reason: String(cString: strerror(errno)))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let status = FileStatus(descriptor: descriptor), status.isRegularFile, !status.isOpenToOthers else {
            throw .badKey(path: path, reason: "other users can read it, or it is no file")
        }
        let data = (try? file.read(upToCount: Self.largest)) ?? Data()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
            throw .badKey(path: path, reason: "it is no key")
        }
        return Array(bytes)
    }
}

/// The public half of a server's key, with which machines verify its signatures.
public struct VerifyingKey: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Reads a key: 32 bytes in base 64; anything else is `nil`.
    public init?(_ text: String) {
        guard text.utf8.count == 44, let data = Data(base64Encoded: text), data.count == 32 else { return nil }
        bytes = Array(data)
    }

    init(_ key: SigningKey) { bytes = key.publicBytes }

    /// The key in base 64, as `init(_:)` reads it.
    public var description: String { Data(bytes).base64EncodedString() }

    /// A short name of the key, for answers and people: the first 16 digits of its SHA-256.
    public var id: String { String(Digest.sha256(bytes).prefix(16)) }

    /// Whether the signature is valid: made with the private half, of exactly this statement.
    public func verifies(_ signed: SignedStatement) -> Bool {
        guard signed.key == id, let signature = Data(base64Encoded: signed.signature) else { return false }
        return SigningKey.verifies(Array(signature), of: signed.statement.utf8, publicBytes: bytes)
    }
}
