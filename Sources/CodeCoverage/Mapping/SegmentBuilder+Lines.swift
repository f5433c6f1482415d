import RunModel

extension SegmentBuilder {
    /// How many lines the segments cover, of how many that can be executed: LLVM's `LineCoverageStats`.
    var lines: CoverageTally {
        var tally = CoverageTally()
        var reaching: Segment?
        var index = 0
        while index < segments.count {
            let line = segments[index].start.line
            let first = segments[index]
            var hasStart = false
            var hasEntry = false
            var highest = reaching?.count ?? 0
            var last = first
            while index < segments.count, segments[index].start.line == line {
                last = segments[index]
                if last.isRegionEntry, last.hasCount {
                    hasEntry = true
                    if !last.isGapRegion {
                        hasStart = true
                        highest = max(highest, last.count)
                    }
                }
                index += 1
            }
            let beginsSkipped = !first.hasCount && first.isRegionEntry
            if hasEntry || (!beginsSkipped && (reaching?.hasCount == true || hasStart)) {
                tally.total += 1
                if highest > 0 { tally.covered += 1 }
            }
            if index < segments.count, last.hasCount {
                let between = Int(segments[index].start.line - line) - 1
                tally.total += max(between, 0)
                if last.count > 0 { tally.covered += max(between, 0) }
            }
            reaching = last
        }
        return tally
    }
}
