extension ExportScanner {
    /// More bytes than a segment takes that is written without oddities, and eight to look ahead.
    private static let plainLength = 96

    /// Takes a segment that is written without blanks and without any oddity; `nil`, with nothing taken, for others.
    ///
    /// The strict way reads the same and more; this one only spares the bookkeeping for what every export consists of. How
    /// long numbers are and which flags are set cannot be foreseen, so that neither is branched on.
    @inline(__always)
    mutating func plainSegment() -> SegmentFold.Segment? {
        var at = offset
        guard end - at >= Self.plainLength, bytes[at] == .openBracket else { return nil }
        at &+= 1
        guard let line = plainCount(&at), let column = plainCount(&at), let count = plainCount(&at) else { return nil }
        let (hasCount, isRegionEntry, isGapRegion) = (plainFlag(&at), plainFlag(&at), plainFlag(&at))
        guard hasCount.isKnown & isRegionEntry.isKnown & isGapRegion.isKnown == 1,
            hasCount.byteBehind == .comma, isRegionEntry.byteBehind == .comma, isGapRegion.byteBehind == .closeBracket,
            line > 0, line <= CoverageExportReader.Limit.lineNumber, column <= CoverageExportReader.Limit.columnNumber
        else { return nil }
        offset = at
        return SegmentFold.Segment(
            line: Int32(truncatingIfNeeded: line), column: Int32(truncatingIfNeeded: column), count: count,
            hasCount: hasCount.isSet, isRegionEntry: isRegionEntry.isSet, isGapRegion: isGapRegion.isSet
        )
    }

    /// Takes a whole number of at most 18 digits, which cannot overflow, and the comma behind it.
    @inline(__always)
    private func plainCount(_ at: inout Int) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let digits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) ^ (ones &* 0x30)
        let others = (((digits & lows) &+ (ones &* 0x76)) | digits) & ~lows
        guard others != 0 else { return longCount(&at) }
        let length = others.trailingZeroBitCount / 8
        guard length > 0, digits & 0xFF != 0 || length == 1, bytes[at &+ length] == .comma else { return nil }
        at &+= length &+ 1
        // The first digit lies lowest; zeros in front of it make eight. Then ones and tens become one number, and so on.
        var value = digits << UInt64(64 &- length &* 8)
        value = ((value & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) >> 8
        value = ((value & 0x00FF_00FF_00FF_00FF) &* 6_553_601) >> 16
        return ((value & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) >> 32
    }

    /// The same where there are more digits than a word holds.
    @inline(never)
    private func longCount(_ at: inout Int) -> UInt64? {
        let first = at
        var value: UInt64 = 0
        while at &- first <= 18 {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt64(digit)
            at &+= 1
        }
        guard at &- first <= 18, bytes[first] != UInt8(ascii: "0"), bytes[at] == .comma else { return nil }
        at &+= 1
        return value
    }

    /// `true` or `false`, and the byte behind it.
    private struct Flag {
        let isSet: Bool
        let isKnown: Int
        let byteBehind: UInt8
    }

    /// Takes `true` or `false`, or something as long, and the byte behind it.
    @inline(__always)
    private func plainFlag(_ at: inout Int) -> Flag {
        let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        let isSet = word == 0x6575_7274
        let isClear = word == 0x736C_6166
        let length = isSet ? 4 : 5
        let isWhole = isSet || (isClear && bytes[at &+ 4] == UInt8(ascii: "e"))
        defer { at &+= length &+ 1 }
        return Flag(isSet: isSet, isKnown: isWhole ? 1 : 0, byteBehind: bytes[at &+ length])
    }
}
