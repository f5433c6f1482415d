/// Durations in nanoseconds, each with three significant digits: an error of at most half a percent, and mostly two
/// bytes.
///
/// A duration has a number: below 1000 the duration itself, then 900 numbers for every power of ten, one for each
/// value of the three digits. So 1 µs is 1000, 9.99 µs is 1899, and 10 µs is 1900.
enum DurationList {
    private static let exact: UInt64 = 1000
    private static let perPower: UInt64 = 900

    /// A list: 0 for no duration, else the signed number plus 1.
    static func encode(_ durations: [Int64?]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * durations.count)
        for duration in durations {
            guard let duration else {
                bytes.append(0)
                continue
            }
            let number = Int64(number(of: duration.magnitude))
            let signed = duration < 0 ? -number : number
            Varint.append(UInt64(bitPattern: signed << 1 ^ signed >> 63) + 1, to: &bytes)
        }
        return try Deflate.packed(bytes)
    }

    static func decode(_ packed: [UInt8]) throws -> [Int64?] {
        try Varint.list(Deflate.unpacked(packed)).map { value in
            guard value > 0 else { return nil }
            let zigzag = value - 1
            let magnitude = try duration(of: zigzag >> 1 + zigzag & 1)
            return zigzag & 1 == 1 ? -magnitude : magnitude
        }
    }

    /// The duration that is read back.
    static func rounded(_ duration: Int64) -> Int64 {
        let magnitude = (try? self.duration(of: number(of: duration.magnitude))) ?? .max
        return duration < 0 ? -magnitude : magnitude
    }

    private static func number(of magnitude: UInt64) -> UInt64 {
        guard magnitude >= exact else { return magnitude }
        var (unit, power): (UInt64, UInt64) = (10, 0)
        while magnitude / unit >= 1000 { (unit, power) = (unit * 10, power + 1) }
        // 999.5 is rounded to 1000, the first number of the next power of ten.
        return exact + power * perPower + (magnitude + unit / 2) / unit - 100
    }

    private static func duration(of number: UInt64) throws -> Int64 {
        guard number >= exact else { return Int64(number) }
        let (power, digits) = (number - exact).quotientAndRemainder(dividingBy: perPower)
        var (duration, overflows) = (Int64(digits) + 100, power > 18)
        for _ in 0...min(power, 18) where !overflows {
            (duration, overflows) = duration.multipliedReportingOverflow(by: 10)
        }
        guard !overflows else { throw UnreadableContent("a duration is longer than 292 years") }
        return duration
    }
}
