/// How long to let output accumulate before it is read.
///
/// A child writes a line or a few kilobytes at a time. A reader of each piece would wake a hundred thousand times for
/// a gigabyte, and for every line of a test. That slows the writer too: the reader takes processor time from other
/// threads of the test, and XCTest waits for such threads in steps of 0.1 s.
struct PipeThrottle: Sendable, Hashable {
    /// The capacity of the smaller pipe. A small pipe would block the writer during a pause.
    let capacity: Int
    private var length = Self.shortest
    private var isFlowing = false

    /// Bytes that may gather in a rest, those of a writer of a gigabyte a second in the shortest: half of what a pipe of
    /// full pages holds, and all that one of half-full pages surely holds.
    static let gathering = 512 << 10
    /// The pause in a flood.
    static let shortest = Duration.microseconds(500)
    /// The pause for single lines. Progress is not updated more often.
    static let longest = Duration.milliseconds(100)

    init(capacity: Int) { self.capacity = capacity }

    /// Adjusts the pause to the size of the last reading; 0 ends the flow.
    ///
    /// - Parameter isCutShort: Whether another event ended the pause early, so that the size tells nothing.
    mutating func take(_ count: Int, afterRestCutShort isCutShort: Bool) {
        if count > Self.gathering { length = Self.shortest }
        if isCutShort { return }
        isFlowing = count > 0
        if isFlowing, count < Self.gathering / 2 { length = min(length * 2, Self.longest) }
    }

    /// The pause before the next reading; `nil` to wait for the first byte.
    var rest: Duration? { isFlowing && capacity >= 2 * Self.gathering ? length : nil }
}
