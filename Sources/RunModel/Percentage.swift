/// A percentage as a policy states it: exact thousandths, never a floating-point number.
public struct Percentage: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Thousandths of a percent: 80 % is 80,000.
    public let thousandths: Int

    /// Makes a percentage from thousandths of a percent; `nil` outside of 0 to 100 %.
    public init?(thousandths: Int) {
        guard (0...100_000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
    }

    /// Nothing at all.
    public static let zero = Percentage(exactThousandths: 0)

    private init(exactThousandths: Int) { thousandths = exactThousandths }

    /// Reads `80`, `79.5` or `99.125`; more than three decimals or anything outside of 0 to 100 is `nil`.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...3).contains(whole.count), whole.utf8.allSatisfy(Self.isDigit),
            let units = Int(whole)
        else { return nil }
        var fraction = 0
        if parts.count == 2 {
            let decimals = parts[1]
            guard (1...3).contains(decimals.count), decimals.utf8.allSatisfy(Self.isDigit),
                let value = Int(decimals + String(repeating: "0", count: 3 - decimals.count))
            else { return nil }
            fraction = value
        }
        self.init(thousandths: units * 1000 + fraction)
    }

    /// Whether `tally` reaches this percentage, by cross-multiplication; a tally without a total never does.
    public func isReached(by tally: CoverageTally) -> Bool {
        guard tally.total > 0 else { return false }
        let have = tally.covered.multipliedFullWidth(by: 100_000)
        let need = tally.total.multipliedFullWidth(by: thousandths)
        return (have.high, have.low) >= (need.high, need.low)
    }

    /// How many more must be covered for `tally` to reach this percentage; 0 when it does.
    public func shortfall(of tally: CoverageTally) -> Int {
        let (whole, rest) = 100_000.dividingFullWidth(tally.total.multipliedFullWidth(by: thousandths))
        return max(0, whole + (rest > 0 ? 1 : 0) - tally.covered)
    }

    /// The number without a trailing zero and without a sign: `80`, `79.5`.
    public var description: String {
        guard thousandths % 1000 != 0 else { return String(thousandths / 1000) }
        var decimals = String(thousandths % 1000 + 1000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(thousandths / 1000).\(decimals)"
    }

    /// Orders by size.
    public static func < (left: Percentage, right: Percentage) -> Bool { left.thousandths < right.thousandths }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension CoverageTally {
    /// The percentage rounded down to a whole number; zero without a total.
    public var wholePercent: Percentage {
        guard total > 0 else { return .zero }
        let percent = total.dividingFullWidth(covered.multipliedFullWidth(by: 100)).quotient
        return Percentage(thousandths: percent * 1000) ?? .zero
    }

    /// The percentage rounded down to one decimal, such as `78.4`; `nil` without a total. `100.0` only if all are
    /// covered.
    public var flooredPercent: String? {
        guard total > 0 else { return nil }
        let tenths = total.dividingFullWidth(covered.multipliedFullWidth(by: 1000)).quotient
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Percentage: TextCodable {
    /// What the text has to be, for error messages. It is decimal, because that is exact.
    public static var textKind: String { "a percentage" }
}
