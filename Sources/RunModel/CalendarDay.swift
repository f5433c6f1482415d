public import struct Foundation.Date

/// A day of the Gregorian calendar in UTC, as a person writes it: `2026-12-01`.
public struct CalendarDay: Sendable, Hashable, CustomStringConvertible {
    /// Days since 1970-01-01.
    private let number: Int

    /// The day of a moment, in UTC.
    public init(_ moment: Date) {
        number = Int((moment.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// Reads `YYYY-MM-DD`; `nil` for anything else, also for a day that does not exist.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1970
        else { return nil }
        number = Self.number(year, month, day)
        guard Name(description) == Name(text) else { return nil }
    }

    /// When it begins, in UTC.
    public var start: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

    /// The day after it.
    public var next: CalendarDay { CalendarDay(start.addingTimeInterval(86_400)) }

    /// The day that is `days` later.
    public func adding(days: Int) -> CalendarDay { CalendarDay(start.addingTimeInterval(Double(days) * 86_400)) }

    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = civil
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    // Source of both formulas: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Months are counted from March.

    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension CalendarDay: Comparable {
    /// Orders by time.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
}

extension CalendarDay: TextCodable {
    /// What the text has to be, for error messages.
    public static var textKind: String { "a day" }
}
