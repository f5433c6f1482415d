/// How much of anything a report of text or Markdown prints before the rest is only counted.
enum ReportLimits {
    static let failures = 50
    static let issues = 10
    static let messageLines = 20
    static let outputLines = 12
    static let errors = 20
    static let files = 10
    static let ranges = 20
    static let parts = 8
    static let notes = 20
    static let remarks = 20
    static let reasons = 5
}
