extension ExportScanner {
    /// Takes a segment that is written without blanks and without any oddity; `nil`, with nothing taken, for others.
    ///
    /// The strict way reads the same and more; this one only spares the bookkeeping for what every export consists of.
    @inline(__always)
    mutating func plainSegment() -> SegmentFold.Segment? {
        var at = offset
        guard end - at >= 3, bytes[at] == .openBracket else { return nil }
        at &+= 1
        guard let line = plainCount(&at), plainComma(&at), let column = plainCount(&at), plainComma(&at),
            let count = plainCount(&at), plainComma(&at), let hasCount = plainFlag(&at), plainComma(&at),
            let isRegionEntry = plainFlag(&at), plainComma(&at), let isGapRegion = plainFlag(&at), at < end,
            bytes[at] == .closeBracket, line > 0, line <= CoverageExportReader.Limit.lineNumber,
            column <= CoverageExportReader.Limit.columnNumber
        else { return nil }
        offset = at + 1
        return SegmentFold.Segment(
            line: Int32(truncatingIfNeeded: line), column: Int32(truncatingIfNeeded: column), count: count,
            hasCount: hasCount, isRegionEntry: isRegionEntry,
            isGapRegion: isGapRegion
        )
    }

    /// A whole number of at most 18 digits, which cannot overflow.
    @inline(__always)
    private func plainCount(_ at: inout Int) -> UInt64? {
        let first = at
        var value: UInt64 = 0
        while at < end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt64(digit)
            at &+= 1
        }
        let length = at &- first
        guard length == 1 || (length > 1 && length <= 18 && bytes[first] != UInt8(ascii: "0")) else { return nil }
        return value
    }

    @inline(__always)
    private func plainComma(_ at: inout Int) -> Bool {
        guard at < end, bytes[at] == .comma else { return false }
        at &+= 1
        return true
    }

    @inline(__always)
    private func plainFlag(_ at: inout Int) -> Bool? {
        guard end - at >= 5 else { return nil }
        let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        if word == 0x6575_7274 {
            at += 4
            return true
        }
        guard word == 0x736C_6166, bytes[at + 4] == UInt8(ascii: "e") else { return nil }
        at += 5
        return false
    }
}
