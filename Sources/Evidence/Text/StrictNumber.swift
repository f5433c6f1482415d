import RunModel

/// Numbers in reports, by a strict grammar, because libraries differ in what they accept.
enum StrictNumber {
    /// The longest accepted duration: about 31 years.
    private static let limit = 1e9

    /// Seconds as a decimal fraction, such as `0.002276012`; `nil` for anything else, a sign or an infinity included.
    static func seconds(_ bytes: some Collection<UInt8>) -> Duration? { nanoseconds(bytes).map { .nanoseconds($0) } }

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

    /// Seconds as surefire writes them, with a comma between thousands: `1,002.5`.
    ///
    /// A comma anywhere else may be a decimal separator, so it is refused.
    static func groupedSeconds(_ bytes: some Collection<UInt8>) -> Duration? {
        groupedNanoseconds(bytes).map { .nanoseconds($0) }
    }

    /// The same in nanoseconds.
    static func groupedNanoseconds(_ bytes: some Collection<UInt8>) -> Int64? {
        guard bytes.contains(UInt8(ascii: ",")) else { return nanoseconds(bytes) }
        let whole = bytes.prefix { $0 != UInt8(ascii: ".") }
        // Four groups reach the limit; of more no list is made.
        let groups = whole.split(separator: UInt8(ascii: ","), maxSplits: 4, omittingEmptySubsequences: false)
        guard let first = groups.first, (1...3).contains(first.count), groups.count <= 4,
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return nanoseconds(bytes.filter { $0 != UInt8(ascii: ",") })
    }

    /// Seconds as a floating-point number; `nil` when it is negative, not finite or absurd.
    static func duration(seconds: Double) -> Duration? {
        guard seconds.isFinite, seconds >= 0, seconds <= limit else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// A count: digits only, within 64 bits.
    static func count(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: bytes, as: UTF8.self))
    }

    /// A count of executions: digits only, all of 64 bits, as underflowed counters are written.
    static func unsigned(_ bytes: some Collection<UInt8>) -> UInt64? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt64(String(decoding: bytes, as: UTF8.self))
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
