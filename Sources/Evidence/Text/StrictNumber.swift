import RunModel

/// Numbers in reports, by a strict grammar, because libraries differ in what they accept.
package enum StrictNumber {
    /// The longest accepted duration, in seconds: that of the longest run. Some writers put nanoseconds where seconds belong.
    private static let limit = Double(RunManifest.longestDuration.components.seconds)

    /// Seconds as a decimal fraction, such as `0.002276012`; `nil` for anything else, a sign or an infinity included.
    package static func seconds(_ bytes: some Collection<UInt8>) -> Duration? {
        nanoseconds(bytes).map { .nanoseconds($0) }
    }

    /// The same in nanoseconds, which is as far as any source goes.
    private static func nanoseconds(_ bytes: some Collection<UInt8>) -> Int64? {
        var whole: UInt64 = 0
        var nanoseconds: UInt64 = 0
        var scale: UInt64 = 100_000_000
        var digits = 0
        var isFraction = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                let digit = UInt64(byte - UInt8(ascii: "0"))
                if isFraction {
                    nanoseconds += digit * scale
                    scale /= 10
                } else {
                    whole = whole * 10 + digit
                    if Double(whole) > limit { return nil }
                }
            case UInt8(ascii: "."):
                if isFraction { return nil }
                isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                return digits > 0 ? scientific(String(decoding: bytes, as: UTF8.self))?.nanosecondCount : nil
            default: return nil
            }
        }
        guard digits > 0 else { return nil }
        // The limit keeps it far below what 64 bits hold.
        return Int64(whole * 1_000_000_000 + nanoseconds)
    }

    /// Seconds as runners write them: with a comma between thousands, as surefire does (`1,002.5`), or with a decimal comma (`0,16`).
    ///
    /// What may be either (`1,200`) is refused: it would be a thousand times too long or too short.
    package static func groupedSeconds(_ bytes: some BidirectionalCollection<UInt8>) -> Duration? {
        groupedNanoseconds(trimmed(bytes)).map { .nanoseconds($0) }
    }

    /// The same in nanoseconds.
    static func groupedNanoseconds(_ bytes: some Collection<UInt8>) -> Int64? {
        guard bytes.contains(UInt8(ascii: ",")) else { return nanoseconds(bytes) }
        let whole = bytes.prefix { $0 != UInt8(ascii: ".") }
        // Four groups reach the limit; of more no list is made.
        let groups = whole.split(separator: UInt8(ascii: ","), maxSplits: 4, omittingEmptySubsequences: false)
        // A comma behind the point is the decimal one, and the point stands between thousands.
        guard let first = groups.first, first.count <= 9, groups.count <= 4,
            !bytes.dropFirst(whole.count).contains(UInt8(ascii: ","))
        else { return nil }
        let areGroups = (1...3).contains(first.count) && groups.dropFirst().allSatisfy { $0.count == 3 }
        if groups.count == 2, whole.count == bytes.count {
            // A number of more than a thousand does not begin with 0.
            let isZero = first.elementsEqual([UInt8(ascii: "0")])
            guard isZero || !areGroups, !first.isEmpty, !groups[1].isEmpty else { return nil }
            return nanoseconds(bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 })
        }
        guard areGroups else { return nil }
        return nanoseconds(bytes.filter { $0 != UInt8(ascii: ",") })
    }

    /// Seconds as a floating-point number; `nil` when it is negative, not finite or absurd.
    package static func duration(seconds: Double) -> Duration? {
        guard seconds.isFinite, seconds >= 0, seconds <= limit else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// A count: digits only, within 64 bits.
    package static func count(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: bytes, as: UTF8.self))
    }

    /// A count of executions: all of 64 bits, as underflowed counters are written.
    ///
    /// Some writers add fractions or exponents (`1.0`, `1.5e+10`), or subtract more than there is (`-1`): then a part of an execution
    /// is one, and less than none is none.
    ///
    /// - Returns: The count, and whether it is written as a whole number; `nil` for what is no number.
    package static func executions(_ bytes: some Collection<UInt8>) -> (count: UInt64, isWhole: Bool)? {
        let text = String(decoding: bytes, as: UTF8.self)
        if !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return (UInt64(text) ?? .max, true)
        }
        guard bytes.count <= 64, let first = bytes.first,
            bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0) }),
            first != UInt8(ascii: "+"), let value = Double(text)
        else { return nil }
        let fraction = bytes.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let isWhole = first != UInt8(ascii: "-") && !fraction.isEmpty && fraction.allSatisfy { $0 == UInt8(ascii: "0") }
        guard value > 0 else { return (0, isWhole) }
        if isWhole { return (UInt64(exactly: value) ?? .max, true) }
        return (value >= 0x1p62 ? .max : max(1, UInt64(value)), false)
    }

    /// What a counter of a report says, also one with commas between thousands, one that is written as a fraction, and one with blanks
    /// around it. One past all measure stays more than there can be; `nil` for what is no number, and for less than none.
    package static func total(_ bytes: some BidirectionalCollection<UInt8>) -> Int? {
        let digits = trimmed(bytes).filter { $0 != UInt8(ascii: ",") }
        guard digits.first != UInt8(ascii: "-") else { return nil }
        return executions(digits).map { Int(min($0.count, 1 << 40)) }
    }

    /// Bytes without the white space of XML around them.
    package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { bytes.index(after: $0) } ?? start
        return bytes[start..<end]
    }

    private static func scientific(_ text: String) -> Duration? {
        let parts = text.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard parts.count == 2 else { return nil }
        let exponent =
            parts[1].utf8.first == UInt8(ascii: "-") || parts[1].utf8.first == UInt8(ascii: "+")
            ? parts[1].dropFirst() : parts[1]
        guard count(exponent.utf8) != nil else { return nil }
        return Double(text).flatMap { duration(seconds: $0) }
    }
}
