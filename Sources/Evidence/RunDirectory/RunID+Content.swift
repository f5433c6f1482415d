import Cryptography
public import RunModel

public import struct Foundation.Date

extension RunID {
    /// The id of a run that was made of something else, such as reports or shards: the same for the same content and moment.
    public init(of content: String, at moment: Date) {
        let digest = SHA256.hash(content.utf8).withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(
            milliseconds: UInt64(max(0, moment.timeIntervalSince1970 * 1000)),
            random: (digest.0.bigEndian, digest.1.bigEndian))
    }
}
