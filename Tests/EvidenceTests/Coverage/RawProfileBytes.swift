/// The bytes of a raw profile of LLVM, version 10, as one function after the other would leave it.
enum RawProfileBytes {
    /// A profile of one function under several digests of its structure, each with one counter of its own.
    ///
    /// - Parameter sharing: Whether all of them claim the same counter.
    static func make(structures: Int, sharing: Bool = false) -> [UInt8] {
        let names: [UInt8] = [1, 0, UInt8(ascii: "f"), 0, 0, 0, 0, 0]
        let counters = sharing ? 1 : structures
        let distance = UInt64(structures) * 64
        let head: [UInt64] = [
            0xFF6C_7072_6F66_7281, 10, 0, UInt64(structures), 0, UInt64(counters), 0, 0, 0, 3, distance, 0, 0, 0, 0, 2,
        ]
        var bytes = head.flatMap { Self.bytes($0) }
        for number in 0..<structures {
            let place = sharing ? 0 : UInt64(number) * 8
            // The digest of "f", and where its counter lies from here.
            bytes += Self.bytes(0xCC91_4F75_DD4C_A18F) + Self.bytes(UInt64(number))
            bytes += Self.bytes(place + distance - UInt64(number) * 64)
            bytes += [UInt8](repeating: 0, count: 24) + [1] + [UInt8](repeating: 0, count: 15)
        }
        for _ in 0..<counters { bytes += Self.bytes(1) }
        return bytes + names
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
