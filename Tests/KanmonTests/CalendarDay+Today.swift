import Foundation
import RunModel

extension CalendarDay {
    /// Today, for a test that compares it with what a program says soon after: the last minutes of a day are waited out.
    static func settled() async throws -> CalendarDay {
        let now = Date()
        let left = CalendarDay(now).next.start.timeIntervalSince(now)
        if left < 180 { try await Task.sleep(for: .seconds(left + 1)) }
        return CalendarDay(Date())
    }
}
