import Foundation
import RunModel
import Testing

@Suite struct CalendarDayTests {
    @Test(arguments: [
        (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"), (951_782_400, "2000-02-29"),
        (1_767_323_045, "2026-01-02"), (4_107_542_399, "2100-02-28"), (4_107_542_400, "2100-03-01"),
    ])
    func `a moment lies in a day of UTC`(seconds: Int, day: String) throws {
        #expect(CalendarDay(Date(timeIntervalSince1970: Double(seconds))).description == day)
        #expect(CalendarDay(day)?.description == day)
    }

    @Test func `days are written as the system writes them`() {
        for number in stride(from: 0, to: 60_000, by: 17) {
            let moment = Date(timeIntervalSince1970: Double(number) * 86_400)
            #expect(CalendarDay(moment).description == moment.formatted(.iso8601.year().month().day()))
        }
    }

    @Test(arguments: [
        "", "2026", "2026-1-02", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-01-02 ", "1969-12-31",
        "２０２６-01-02", "2026/01/02", "-026-01-02",
    ])
    func `anything else is no day`(text: String) { #expect(CalendarDay(text) == nil) }

    @Test func `days are ordered and written by their text`() throws {
        let days = try ["2026-02-28", "2025-12-31", "2026-03-01"].map { try #require(CalendarDay($0)) }
        #expect(days.sorted().map(\.description) == ["2025-12-31", "2026-02-28", "2026-03-01"])
        let data = try JSONEncoder().encode(days)
        #expect(String(decoding: data, as: UTF8.self) == #"["2026-02-28","2025-12-31","2026-03-01"]"#)
        #expect(try JSONDecoder().decode([CalendarDay].self, from: data) == days)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([CalendarDay].self, from: Data(#"["x"]"#.utf8)) }
    }
}
