/// How long to let output gather before it is read.
///
/// A child writes a line or a few kilobytes at a time. Whoever takes each piece as it comes is woken a hundred thousand
/// times for a gigabyte, and beside a test for every line of it. That costs the writer, too: a woken reader takes the
/// processor that another thread of the test waits for, and XCTest, which waits for such threads in steps of a tenth of a
/// second, then often waits for a whole step.
struct ReadingPace: Sendable, Hashable {
    /// How many bytes the smaller of the pipes holds. A short one would stop the writer while its reader rests.
    let capacity: Int
    private var length = Self.shortest
    private var isFlowing = false

    /// Bytes that may gather in a rest, those of a writer of a gigabyte a second in the shortest: half of what a pipe of
    /// full pages holds, and all that one of half-full pages surely holds.
    static let gathering = 512 << 10
    /// The rest in a flood.
    static let shortest = Duration.microseconds(500)
    /// The rest of a reader of lines. Whoever watches a run is told of it no more often.
    static let longest = Duration.milliseconds(100)

    init(capacity: Int) { self.capacity = capacity }

    /// Adjusts the rest to what was read after the last one; nothing at all is the end of a flow.
    ///
    /// - Parameter isCutShort: Whether something else ended the rest before its time. Little has gathered then, whatever
    ///   the flow.
    mutating func take(_ count: Int, afterRestCutShort isCutShort: Bool) {
        if count > Self.gathering { length = Self.shortest }
        if isCutShort { return }
        isFlowing = count > 0
        if isFlowing, count < Self.gathering / 2 { length = min(length * 2, Self.longest) }
    }

    /// How long to rest before the next reading; `nil` where the first byte is waited for.
    var rest: Duration? { isFlowing && capacity >= 2 * Self.gathering ? length : nil }
}
