import Foundation

/// The form of times in all reports.
enum Timestamp {
    /// `2026-01-02T03:04:05Z`, always UTC.
    static func utc(_ date: Date) -> String { date.formatted(.iso8601) }

    /// Milliseconds since 1970; 0 if out of range.
    static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }
}

/// The form of durations in XML reports.
enum Seconds {
    /// Seconds with three decimals, rounded down.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return "0.000" }
        let milliseconds = String(attoseconds / 1_000_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
    }
}
