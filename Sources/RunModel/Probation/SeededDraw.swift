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

    /// The elements in an order that is drawn by what each is called: which of two comes first does not depend on what else there is.
    public func ordered<Element: Comparable & CustomStringConvertible>(_ elements: [Element]) -> [Element] {
        elements.map { (key: key(of: $0.description), element: $0) }
            .sorted { ($0.key, $0.element) < ($1.key, $1.element) }
            .map { $0.element }
    }

    /// The number that a name draws.
    private func key(of name: String) -> UInt64 {
        var draw = SeededDraw(seed: state ^ StableHash(name).value)
        return draw.next()
    }
}
