import RunModel

/// Turns the segments of one file, as they come, into the counts of its executable lines.
///
/// The rule is LLVM's own (`LineCoverageStats`): a segment holds until the next one begins. A line is executable when
/// the segment that reaches into it has a count, unless a skipped region begins the line, or when a counted region
/// begins on it. Its count is the highest of the segment that reaches into it and of the regions that begin on it.
struct SegmentFold {
    /// One segment as the export writes it, without its column.
    struct Segment {
        let line: Int32
        let count: UInt64
        let hasCount: Bool
        let isRegionEntry: Bool
        let isGapRegion: Bool
    }

    /// The executable lines so far.
    private(set) var lines: [LineCount] = []

    /// The line that segments are being collected for; 0 before the first.
    private(set) var line: Int32 = 0
    /// The segment that reaches into the line, and whether it has a count; without one the count is 0.
    private var reaching: (count: UInt64, hasCount: Bool) = (0, false)
    /// The last segment seen.
    private var last: (count: UInt64, hasCount: Bool) = (0, false)
    private var beginsSkipped = false
    private var hasStart = false
    private var hasCountedEntry = false
    private var highestStart: UInt64 = 0

    /// Begins another file; the memory stays.
    mutating func reset() {
        var lines = lines
        lines.removeAll(keepingCapacity: true)
        self = SegmentFold()
        self.lines = lines
    }

    /// Adds the next segment; the lines of segments may not descend, which the caller has checked.
    @inline(__always)
    mutating func add(_ segment: Segment) {
        if segment.line != line {
            close(before: segment.line)
            line = segment.line
            beginsSkipped = !segment.hasCount && segment.isRegionEntry
        }
        if segment.isRegionEntry && segment.hasCount {
            hasCountedEntry = true
            if !segment.isGapRegion {
                hasStart = true
                highestStart = max(highestStart, segment.count)
            }
        }
        last = (segment.count, segment.hasCount)
    }

    /// Ends the file: the last line that has a segment is the last line.
    mutating func finish() { close(before: line + 1) }

    /// Writes down the line that was collected, and the lines up to `next` that its last segment reaches over.
    private mutating func close(before next: Int32) {
        guard line > 0 else { return }
        if hasCountedEntry || (!beginsSkipped && (reaching.hasCount || hasStart)) {
            let count = hasStart ? max(reaching.count, highestStart) : reaching.count
            lines.append(LineCount(line: line, count: ExecutionCount(count)))
        }
        reaching = last
        hasStart = false
        hasCountedEntry = false
        highestStart = 0
        guard reaching.hasCount, line + 1 < next else { return }
        for skipped in line + 1..<next {
            lines.append(LineCount(line: skipped, count: ExecutionCount(reaching.count)))
        }
    }
}
