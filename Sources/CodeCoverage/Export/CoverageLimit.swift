/// Limits above any real coverage report, so that a report cannot fill the memory.
enum CoverageLimit {
    /// Source files of a report.
    static let files = 50_000
    /// Segments of a file, and regions of a function.
    static let segmentsOfFile = 200_000
    /// The highest number of a line.
    static let lineNumber: UInt64 = 2_000_000
    /// The highest number of a column.
    static let columnNumber = UInt64(Int32.max)
    /// Executable lines of all files together: 128 MB of them. A segment of a few bytes may reach over many lines.
    static let lines = 8_000_000
    /// What a summary may count.
    static let summaryCount: UInt64 = 1_000_000_000
    /// Functions of all objects that Kanmon itself exports.
    static let functions = 2_000_000
    /// Regions of all those functions together.
    static let regions = 20_000_000
}
