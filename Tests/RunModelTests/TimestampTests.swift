import Foundation
import RunModel
import Testing

@Suite struct TimestampTests {
    @Test func `a moment has seconds for people and milliseconds for files, in UTC`() {
        let moment = Date(timeIntervalSince1970: 1_767_323_045.678)
        #expect(Timestamp.utc(Date(timeIntervalSince1970: 1_767_323_045)) == "2026-01-02T03:04:05Z")
        #expect(Timestamp.text(of: moment) == "2026-01-02T03:04:05.678Z")
        #expect(Timestamp.text(of: Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
    }

    private static let texts: [(String, Double?)] = [
        ("2026-01-02T03:04:05.678Z", 1_767_323_045.678), ("2026-01-02T03:04:05Z", 1_767_323_045),
        ("2026-01-02T03:04:05.6Z", nil), ("2026-01-02T03:04:05+01:00", nil), ("now", nil), ("", nil),
    ]

    @Test(arguments: texts)
    func `both forms are read, and nothing else`(_ text: String, _ seconds: Double?) {
        #expect(Timestamp.date(of: text) == seconds.map { Date(timeIntervalSince1970: $0) })
    }
}
