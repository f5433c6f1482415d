/// Numbers that look random and are the same for the same seed, in every process.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Numbers that follow from a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `limit`, without it; 0 where there is no room for another.
    public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
