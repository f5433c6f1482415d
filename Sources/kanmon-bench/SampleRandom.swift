/// Numbers that are the same in every process (SplitMix64).
struct SampleRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func digits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count { text += String(next() | 1 << 63, radix: 16) }
        return String(text.prefix(count))
    }
}
