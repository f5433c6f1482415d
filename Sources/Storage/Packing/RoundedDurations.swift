/// Durations to within 1.25 %, two digits and a half, as the number of their step on a ladder.
///
/// Below 100 every number is a step. From there on the third digit is even below 200, 0 or 5 below 500, and 0 above: 160
/// steps in every power of ten. Numbers that people write stay what they are, and a test that takes as long as ever is
/// only a few steps off, whatever its duration is.
enum RoundedDurations {
    private static let exact = 100
    private static let stepsInPower = 160
    /// The powers of ten up to that which the greatest duration takes.
    private static let units: [UInt64] = (0..<17).map { (0..<$0).reduce(1) { unit, _ in unit * 10 } }

    /// The number of a step: there are fewer than three thousand of each sign.
    typealias Step = Int16

    /// The nearest step; below zero for a duration that is.
    static func step(_ duration: Int64) -> Step {
        let step = step(magnitude: duration.magnitude)
        return duration < 0 ? -step : step
    }

    /// The duration of a step.
    static func duration(step: Step) throws -> Int64 {
        let magnitude = Int(step.magnitude)
        guard magnitude < ladder.count else { throw mismatch }
        return step < 0 ? -ladder[magnitude] : ladder[magnitude]
    }

    /// The duration of every step, up to the greatest that there is.
    private static let ladder: [Int64] = {
        let digits = (0..<stepsInPower).map { (part: Int) -> Int64 in
            Int64(part < 50 ? 100 + part * 2 : part < 110 ? 200 + (part - 50) * 5 : 500 + (part - 110) * 10)
        }
        let steps = units.flatMap { unit in digits.map { $0.multipliedReportingOverflow(by: Int64(unit)) } }
        return (0..<Int64(exact)) + steps.prefix { !$0.overflow }.map(\.partialValue)
    }()

    /// A duration as it is read back.
    static func rounded(_ duration: Int64) -> Int64 { (try? self.duration(step: step(duration))) ?? duration }

    private static func step(magnitude: UInt64) -> Step {
        if magnitude < UInt64(exact) { return Step(magnitude) }
        // The greatest power of ten that leaves three digits; divisions by what is not known before are slow.
        var power = 0
        while power < units.count - 1, magnitude / 1000 >= units[power] { power += 1 }
        let unit = units[power]
        let three = magnitude / unit
        let (width, first, step): (UInt64, UInt64, UInt64) =
            three < 200 ? (2, 100, 0) : three < 500 ? (5, 200, 50) : (10, 500, 110)
        // The step behind the last one of a power is the first one of the next.
        let nearest = (magnitude - first * unit + width * unit / 2) / (width * unit) + step
        return Step(exact + power * stepsInPower + Int(nearest))
    }

    private static let mismatch = UnreadableContent("the durations of a run do not fit its tests")
}

/// The durations of a run as lists of steps.
enum DurationList {
    typealias Step = RoundedDurations.Step

    /// A list that stands for itself: 0 where there is none, else one more than the step.
    static func encode(_ steps: [Step?]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for step in steps {
            guard let step else {
                bytes.append(0)
                continue
            }
            let number = Int64(step)
            Varint.append(UInt64(bitPattern: number << 1 ^ number >> 63) + 1, to: &bytes)
        }
        return try Deflate.packed(noise: bytes)
    }

    static func decode(_ packed: [UInt8]) throws -> [Step?] {
        try Varint.list(Deflate.unpacked(packed)).map { value in
            guard value > 0 else { return nil }
            let zigzag = value - 1
            return try step(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
        }
    }

    /// A byte a duration: 0 where there is none, 1 where it stands behind the bytes, else how far it is from that of the
    /// same test in `base`.
    ///
    /// - Returns: The list, and how many durations could not be told by a byte.
    static func encode(_ steps: [Step?], from base: [Step?]) throws -> (packed: [UInt8], exceptions: Int) {
        var bytes: [UInt8] = []
        var rest: [UInt8] = []
        var exceptions = 0
        bytes.reserveCapacity(steps.count)
        for (step, base) in zip(steps, base) {
            guard let step else {
                bytes.append(0)
                continue
            }
            let difference = base.map { Int(step) - Int($0) }
            if let difference, abs(difference) < 127 {
                bytes.append(UInt8(truncatingIfNeeded: (difference << 1 ^ difference >> 63) + 2))
            } else {
                bytes.append(1)
                Varint.append(zigzag: Int64(step), to: &rest)
                exceptions += 1
            }
        }
        return (try Deflate.packed(noise: bytes + rest), exceptions)
    }

    static func decode(_ packed: [UInt8], from base: [Step?]) throws -> [Int64?] {
        let bytes = try Deflate.unpacked(packed)
        guard bytes.count >= base.count else { throw mismatch }
        var rest = bytes[base.count...]
        let durations = try zip(bytes, base).map { try duration($0, from: $1, rest: &rest) }
        guard rest.isEmpty else { throw mismatch }
        return durations
    }

    /// The durations of some tests that stand together.
    ///
    /// - Parameters:
    ///   - range: Where they stand among the tests of the run.
    ///   - count: How many tests the run has.
    ///   - base: What these are told from.
    ///   - exact: The exact durations of the run, where they are kept.
    static func decode(
        _ packed: [UInt8], at range: Range<Int>, of count: Int, from base: [Step?], exact: [UInt8]?
    ) throws -> [Int64?] {
        guard range.upperBound <= count, range.count == base.count else { throw mismatch }
        var bytes = try Deflate.unpacked(packed, first: range.upperBound)
        if let exact {
            var rest = exact[...]
            for byte in bytes[..<range.lowerBound] where byte != 0 { _ = try Varint.takeZigzag(from: &rest) }
            return try bytes[range].map { $0 == 0 ? nil : try Varint.takeZigzag(from: &rest) }
        }
        var rest: ArraySlice<UInt8> = []
        if bytes[range].contains(1) {
            bytes = try Deflate.unpacked(packed)
            guard bytes.count >= count else { throw mismatch }
            rest = bytes[count...]
            for byte in bytes[..<range.lowerBound] where byte == 1 { _ = try Varint.takeZigzag(from: &rest) }
        }
        return try zip(bytes[range], base).map { try duration($0, from: $1, rest: &rest) }
    }

    private static func duration(_ byte: UInt8, from base: Step?, rest: inout ArraySlice<UInt8>) throws -> Int64? {
        switch byte {
        case 0: return nil
        case 1: return try RoundedDurations.duration(step: step(Varint.takeZigzag(from: &rest)))
        default:
            guard let base else { throw mismatch }
            let zigzag = Int64(byte) - 2
            return try RoundedDurations.duration(step: step(Int64(base) + (zigzag >> 1 ^ -(zigzag & 1))))
        }
    }

    private static func step(_ number: Int64) throws -> Step {
        guard let step = Step(exactly: number) else { throw mismatch }
        return step
    }

    private static let mismatch = UnreadableContent("the durations of a run do not fit its tests")
}

/// Durations to the nanosecond, kept for the newest run of a project.
enum ExactDurations {
    static func encode(_ durations: [Int64?]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(durations.count * 4)
        for duration in durations {
            guard let duration else { continue }
            Varint.append(zigzag: duration, to: &bytes)
        }
        return bytes
    }

    /// Gives the durations that there are their exact values.
    static func apply(_ bytes: [UInt8], to durations: [Int64?]) throws -> [Int64?] {
        var rest = bytes[...]
        let exact = try durations.map { try $0 == nil ? nil : Varint.takeZigzag(from: &rest) }
        guard rest.isEmpty else { throw UnreadableContent("a run has more durations than tests") }
        return exact
    }
}
