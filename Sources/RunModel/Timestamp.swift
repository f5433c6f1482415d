public import Foundation

/// The text of a moment: ISO 8601 in UTC, in every file, report and message.
public enum Timestamp {
    /// With seconds: `2026-01-02T03:04:05Z`.
    public static func utc(_ date: Date) -> String { date.formatted(.iso8601) }

    /// With milliseconds, rounded to the nearest: `2026-01-02T03:04:05.678Z`.
    public static func text(of date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let whole = rest < 0 ? seconds - 1 : seconds
        let fraction = String(rest < 0 ? rest + 1000 : rest)
        let stem = utc(Date(timeIntervalSince1970: Double(whole)))
        return "\(stem.dropLast()).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)Z"
    }

    /// Reads both forms; `nil` for any other text.
    public static func date(of text: String) -> Date? {
        guard text.hasSuffix("Z"), text.utf8.count <= 24 else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard let stem = parts.first, parts.count <= 2 else { return nil }
        do {
            let whole = try Date(stem + "Z", strategy: .iso8601)
            guard parts.count == 2 else { return whole }
            guard parts[1].utf8.count == 3, let milliseconds = UInt16(parts[1]) else { return nil }
            return Date(timeIntervalSince1970: (whole.timeIntervalSince1970 * 1000 + Double(milliseconds)) / 1000)
        } catch {
            return nil
        }
    }
}
