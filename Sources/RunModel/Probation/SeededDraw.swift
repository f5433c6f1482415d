/// Draws that are the same for the same seed, in every process and with every version of the standard library (SplitMix64).
public struct SeededDraw: Sendable, Hashable {
    private var state: UInt64

    /// Draws that follow from a seed, and from the number of the series, so that no series depends on how much was drawn in another.
    public init(seed: UInt64, series: Int = 0) {
        state = seed
        state = next() ^ (UInt64(truncatingIfNeeded: series) &* 0xD6E8_FEB8_6659_FD93)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The elements in an order that is drawn.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for last in shuffled.indices.dropFirst().reversed() {
            shuffled.swapAt(last, Int(next() % UInt64(last + 1)))
        }
        return shuffled
    }
}
