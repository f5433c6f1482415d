import Cryptography
public import RunModel

public import struct Foundation.Date

extension RunID {
    /// The id of a run of a project that begins at a moment.
    ///
    /// Whoever delivers a run shows by the seed that the id is its own: the id can be seen while the run is under way, and from it
    /// nobody finds a seed. So no id can be taken that another machine or another project has.
    ///
    /// - Parameter seed: What only the machine knows that begins the run: at least 128 random bits, as text.
    public init(of project: String, seed: String, at moment: Date) {
        self.init(of: project, seed: seed, milliseconds: UInt64(max(0, moment.timeIntervalSince1970 * 1000)))
    }

    /// Whether the id is one of this project that was made of this seed.
    public func isMade(of seed: String, in project: String) -> Bool {
        RunID(of: project, seed: seed, milliseconds: milliseconds) == self
    }

    private init(of project: String, seed: String, milliseconds: UInt64) {
        // What a digest has no character of ends the first text, so that no two pairs are one text.
        let text = "\(Digest.sha256(Array(seed.utf8))) \(project)"
        let digest = SHA256.hash(text.utf8).withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(milliseconds: milliseconds, random: (digest.0.bigEndian, digest.1.bigEndian))
    }
}
