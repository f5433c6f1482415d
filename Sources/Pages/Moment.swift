import Foundation
import RunModel

/// A point in time: relative to now for reading, exact for whoever asks.
struct Moment: Sendable, TemplateValue {
    /// `2026-01-02T03:04:05Z`, for machines.
    let machine: String
    /// `2026-01-02 03:04:05 UTC`, on hover.
    let exact: String
    /// `2 hours ago`.
    let words: String

    /// Words the moment relative to now; without a now, on a page that is read for years, it is told as it was.
    init(_ date: Date, now: Date?) {
        machine = Timestamp.utc(date)
        exact = machine.replacing("T", with: " ").replacing("Z", with: " UTC")
        words = now.map { [exact] in Self.words(seconds: $0.timeIntervalSince(date), exact: exact) } ?? exact
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "machine": machine
        case "exact": exact
        case "words": words
        default: nil
        }
    }

    private static func words(seconds: TimeInterval, exact: String) -> String {
        // A clock that runs ahead by more than a minute is shown as it is instead of explained away.
        guard seconds > -60, let elapsed = Int(exactly: seconds.rounded(.down)) else { return exact }
        switch elapsed {
        case ..<45: return "just now"
        case ..<5400: return Figures.counted(Swift.max(1, (elapsed + 30) / 60), "minute") + " ago"
        case ..<129_600: return Figures.counted((elapsed + 1800) / 3600, "hour") + " ago"
        case ..<1_209_600: return Figures.counted((elapsed + 43_200) / 86_400, "day") + " ago"
        case ..<4_838_400: return Figures.counted(elapsed / 604_800, "week") + " ago"
        case ..<63_072_000: return Figures.counted(elapsed / 2_629_746, "month") + " ago"
        default: return Figures.counted(elapsed / 31_556_952, "year") + " ago"
        }
    }
}
