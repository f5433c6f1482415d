import RunModel

/// Converts the segments of one file, one by one, to the counts of its executable lines.
///
/// The rule is LLVM's own (`LineCoverageStats`): a segment extends to the next one. A line is executable when the
/// segment that reaches into it has a count, unless a skipped region begins the line, or when a counted region begins
/// on it. Its count is the highest of the segment that reaches into it and of the regions that begin on it.
///
/// Which parts of an executed line were not executed is LLVM's own rule, too (`renderLine`, what `llvm-cov show`
/// prints in red): from a segment with the count 0 to the next one with another; gaps continue the state before them.
struct SegmentFold {
    /// One segment as the export writes it.
    struct Segment {
        let line: Int32
        let column: Int32
        let count: UInt64
        let hasCount: Bool
        let isRegionEntry: Bool
        let isGapRegion: Bool
    }

    /// The executable lines so far.
    private(set) var lines: [LineCount] = []
    /// The parts of executed lines that were not executed.
    private(set) var parts: [MissedPart] = []

    /// The line that segments are being collected for; 0 before the first.
    private(set) var line: Int32 = 0
    /// The segment that reaches into the line, and whether it has a count; without one the count is 0.
    private var reaching: (count: UInt64, hasCount: Bool) = (0, false)
    /// The last segment seen.
    private var last: (count: UInt64, hasCount: Bool) = (0, false)
    private var lastIsGap = false
    /// The start of an unexecuted part in the line; `nil` in an executed part.
    private var missedSince: Int32?
    /// How many parts there were when the line began.
    private var partsBefore = 0
    private var beginsSkipped = false
    private var hasStart = false
    private var hasCountedEntry = false
    private var highestStart: UInt64 = 0

    /// Begins another file; the memory stays.
    mutating func reset() {
        // Swapped and not copied, so that the buffers keep their capacity.
        var next = SegmentFold()
        swap(&next.lines, &lines)
        swap(&next.parts, &parts)
        next.lines.removeAll(keepingCapacity: true)
        next.parts.removeAll(keepingCapacity: true)
        self = next
    }

    /// Adds the next segment; the lines of segments may not descend, which the caller has checked.
    @inline(__always)
    mutating func add(_ segment: Segment) {
        if segment.line != line {
            close(before: segment.line)
            line = segment.line
            partsBefore = parts.count
            missedSince = last.hasCount && last.count == 0 && !lastIsGap ? 1 : nil
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
        lastIsGap = segment.isGapRegion
        let isMissed = segment.hasCount && segment.count == 0 && (!segment.isGapRegion || missedSince != nil)
        if let start = missedSince {
            guard !isMissed else { return }
            if start < segment.column { parts.append(MissedPart(line: line, start: start, end: segment.column)) }
            missedSince = nil
        } else if isMissed {
            missedSince = segment.column
        }
    }

    /// Ends the file: the last line that has a segment is the last line.
    mutating func finish() { close(before: line + 1) }

    /// Adds the current line, and the lines up to `next` that its last segment covers.
    private mutating func close(before next: Int32) {
        guard line > 0 else { return }
        if hasCountedEntry || (!beginsSkipped && (reaching.hasCount || hasStart)) {
            let count = hasStart ? max(reaching.count, highestStart) : reaching.count
            lines.append(LineCount(line: line, count: ExecutionCount(count)))
            if count > 0, let start = missedSince { parts.append(MissedPart(line: line, start: start, end: nil)) }
        }
        // An unexecuted line needs no parts.
        if lines.last.map({ $0.line != line || !$0.count.isCovered }) ?? true {
            parts.removeLast(parts.count - partsBefore)
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
