/// Numbers in the words that every report uses.
public enum Figures {
    /// A whole number with separators: `1,204`.
    public static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard number.magnitude >= 1000 else { return number < 0 ? "-" + digits : digits }
        var grouped = number < 0 ? [UInt8(ascii: "-")] : []
        for (offset, digit) in digits.utf8.enumerated() {
            if offset > 0, (digits.utf8.count - offset).isMultiple(of: 3) { grouped.append(UInt8(ascii: ",")) }
            grouped.append(digit)
        }
        return String(decoding: grouped, as: UTF8.self)
    }

    /// A number and its noun: `1 test`, `2 tests`.
    public static func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// The percentage rounded down to one decimal: `78.4 %`; `–` without a total.
    public static func percent(_ tally: CoverageTally) -> String { tally.flooredPercent.map { "\($0) %" } ?? "–" }

    /// A floor as the policy states it: `80 %`, `79.5 %`.
    public static func percent(_ floor: Percentage) -> String { "\(floor.description) %" }

    /// `1,204 of 1,535`.
    public static func tally(_ tally: CoverageTally) -> String {
        "\(grouped(tally.covered)) of \(grouped(tally.total))"
    }

    /// A duration in words, rounded down: `41.2 s`, `3 ms`, `2 min 5 s`.
    public static func duration(_ duration: Duration) -> String {
        let attoseconds = duration.attoseconds
        guard attoseconds > 0 else { return "0 s" }
        let (seconds, microseconds) = wholes(attoseconds)
        switch seconds {
        case 0 where microseconds < 1000: return thousand.microseconds[microseconds]
        case 0: return thousand.milliseconds[microseconds / 1000]
        case ..<60: return "\(seconds).\(microseconds / 100_000) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
        }
    }

    /// The whole seconds, and the whole microseconds of the rest.
    private static func wholes(_ attoseconds: Int128) -> (seconds: Int, microseconds: Int) {
        let (second, microsecond) = (1_000_000_000_000_000_000, 1_000_000_000_000)
        // Less than nine seconds fits in 64 bits, and 128-bit division is slow.
        if let short = Int(exactly: attoseconds) { return (short / second, short % second / microsecond) }
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Int128(second))
        return (Int(clamping: seconds), Int(rest) / microsecond)
    }

    // Nearly all tests take less than a second, and a page shows a hundred of them.
    private static let thousand = (
        microseconds: (0..<1000).map { "\($0) µs" }, milliseconds: (0..<1000).map { "\($0) ms" }
    )

    /// A size, rounded down: `812 bytes`, `4.2 KiB`, `17.0 MiB`.
    public static func bytes(_ number: Int) -> String {
        guard number >= 1024 else { return counted(number, "byte") }
        let (unit, name) = number >= 1 << 20 ? (1 << 20, "MiB") : (1 << 10, "KiB")
        return "\(grouped(number / unit)).\(number % unit * 10 / unit) \(name)"
    }

    /// A range of lines: `41–58`, or `70` alone.
    public static func lines(_ range: ClosedRange<Int>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }

    /// The number of tests with an outcome: `2 failed`, `1 not run`, `3 known issues`.
    public static func counted(_ outcomes: OutcomeTally, _ outcome: Outcome) -> String {
        let plural = outcome == .knownIssue && outcomes[outcome] != 1 ? "s" : ""
        return "\(grouped(outcomes[outcome])) \(outcome.label)\(plural)"
    }

    /// The outcomes that occur, with their numbers: `1 passed, 1 failed`; empty without a test.
    public static func list(_ outcomes: OutcomeTally) -> String {
        Outcome.allCases.filter { outcomes[$0] > 0 }.map { counted(outcomes, $0) }.joined(separator: ", ")
    }

    /// The last line of a list of failed tests that is cut: `25 more failures; kanmon report --format json has all`.
    public static func moreFailures(_ number: Int) -> String {
        "\(counted(number, "more failure")); kanmon report --format json has all"
    }
}
