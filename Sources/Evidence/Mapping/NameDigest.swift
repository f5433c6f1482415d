/// The number by which LLVM's profiles name a function: the lower half of the MD5 of its name.
enum NameDigest {
    /// How far each step of a round turns; four a round.
    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    /// The constants of RFC 1321: 2^32 times the sine of each number.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]

    /// The digest of these bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        sines.withUnsafeBufferPointer { sines in
            turns.withUnsafeBufferPointer { turns in
                var state = State()
                let whole = bytes.count & ~63
                for block in stride(from: 0, to: whole, by: 64) {
                    state.add(UnsafeRawBufferPointer(rebasing: bytes[block..<block &+ 64]), sines, turns)
                }
                return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { tail in
                    let left = bytes.count &- whole
                    tail.initializeMemory(as: UInt8.self, repeating: 0)
                    tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[whole...]))
                    tail[left] = 0x80
                    let end = left < 56 ? 64 : 128
                    tail.storeBytes(of: UInt64(bytes.count &* 8).littleEndian, toByteOffset: end &- 8, as: UInt64.self)
                    for block in stride(from: 0, to: end, by: 64) {
                        state.add(UnsafeRawBufferPointer(rebasing: tail[block..<block &+ 64]), sines, turns)
                    }
                    return UInt64(state.a) | UInt64(state.b) << 32
                }
            }
        }
    }

    private struct State {
        var a: UInt32 = 0x6745_2301
        var b: UInt32 = 0xEFCD_AB89
        var c: UInt32 = 0x98BA_DCFE
        var d: UInt32 = 0x1032_5476

        @inline(__always)
        mutating func add(
            _ block: UnsafeRawBufferPointer, _ sines: UnsafeBufferPointer<UInt32>, _ turns: UnsafeBufferPointer<UInt32>
        ) {
            let before = self
            for step in 0..<16 { turn((b & c) | (~b & d), step, step, 0, block, sines, turns) }
            for step in 16..<32 { turn((d & b) | (~d & c), step, (5 &* step &+ 1) & 15, 4, block, sines, turns) }
            for step in 32..<48 { turn(b ^ c ^ d, step, (3 &* step &+ 5) & 15, 8, block, sines, turns) }
            for step in 48..<64 { turn(c ^ (b | ~d), step, (7 &* step) & 15, 12, block, sines, turns) }
            a = a &+ before.a
            b = b &+ before.b
            c = c &+ before.c
            d = d &+ before.d
        }

        @inline(__always)
        private mutating func turn(
            _ mixed: UInt32, _ step: Int, _ word: Int, _ round: Int, _ block: UnsafeRawBufferPointer,
            _ sines: UnsafeBufferPointer<UInt32>, _ turns: UnsafeBufferPointer<UInt32>
        ) {
            let input = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: word &* 4, as: UInt32.self))
            let sum = a &+ mixed &+ sines[step] &+ input
            let by = turns[round &+ (step & 3)]
            (a, d, c) = (d, c, b)
            b = b &+ (sum &<< by | sum &>> (32 &- by))
        }
    }
}
