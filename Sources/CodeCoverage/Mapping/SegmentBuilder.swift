/// Lays the regions of a file, or of a function, side by side: where one begins or ends within another, a segment begins.
///
/// The rules are those of LLVM's `SegmentBuilder`, by which llvm-cov counts lines. The memory is used again for every file.
struct SegmentBuilder {
    /// A segment, which holds until the next one begins.
    struct Segment {
        let start: MappedRegion.Place
        let count: UInt64
        let hasCount: Bool
        let isRegionEntry: Bool
        let isGapRegion: Bool
    }

    /// The segments of the regions that were last built.
    private(set) var segments: [Segment] = []
    private var regions: [MappedRegion] = []
    /// The regions that have begun and not ended, by number; the innermost last.
    private var active: [Int] = []
    private var ended: [Int] = []

    init() {}

    /// Forgets the regions so far.
    mutating func removeAll() {
        regions.removeAll(keepingCapacity: true)
        segments.removeAll(keepingCapacity: true)
        active.removeAll(keepingCapacity: true)
    }

    mutating func add(_ more: ArraySlice<MappedRegion>) { regions.append(contentsOf: more) }

    /// Builds the segments of all regions.
    mutating func build() {
        // What begins first, and of those what ends last; of the same place first what is code.
        if !Self.isSorted(regions) { regions.sort(by: Self.precedes) }
        combine()
        for index in regions.indices { begin(index) }
        if !active.isEmpty { end(from: 0, before: nil) }
    }

    @inline(__always)
    private static func precedes(_ left: MappedRegion, _ right: MappedRegion) -> Bool {
        if left.start != right.start { return left.start < right.start }
        return left.end == right.end ? left.kind < right.kind : right.end < left.end
    }

    private static func isSorted(_ regions: [MappedRegion]) -> Bool {
        var index = 1
        while index < regions.count {
            if precedes(regions[index], regions[index - 1]) { return false }
            index += 1
        }
        return true
    }

    /// Adds up the counts of regions of the same place, of the kind that is first among them.
    private mutating func combine() {
        guard regions.count > 1 else { return }
        var last = 0
        for index in 1..<regions.count {
            if regions[index].start == regions[last].start, regions[index].end == regions[last].end {
                if regions[index].kind == regions[last].kind {
                    regions[last].count = regions[last].count &+ regions[index].count
                }
            } else {
                last += 1
                regions[last] = regions[index]
            }
        }
        regions.removeLast(regions.count - last - 1)
    }

    private mutating func begin(_ index: Int) {
        let region = regions[index]
        // What has ended goes to the back, the order within both parts stays.
        var kept = 0
        ended.removeAll(keepingCapacity: true)
        for number in active {
            if regions[number].end <= region.start {
                ended.append(number)
            } else {
                active[kept] = number
                kept += 1
            }
        }
        if !ended.isEmpty {
            for (offset, number) in ended.enumerated() { active[kept + offset] = number }
            end(from: kept, before: region.start)
        }
        let isLast = index + 1 == regions.count
        if region.start == region.end {
            // An empty region never holds; what is around it goes on.
            let isSkipped = isLast || region.kind == .skipped
            start(active.last ?? index, at: region.start, isEntry: region.kind != .gap, isSkipped: isSkipped)
            if isSkipped, let around = active.last { start(around, at: region.start, isEntry: false) }
            return
        }
        if isLast || regions[index + 1].start != region.start {
            start(index, at: region.start, isEntry: region.kind != .gap)
        }
        active.append(index)
    }

    /// Ends the active regions from a number on, before a place where the next one begins.
    private mutating func end(from first: Int, before place: MappedRegion.Place?) {
        sortByEnd(from: first)
        let count = active.count
        for index in first + 1..<max(count, first + 1) {
            let end = regions[active[index - 1]].end
            if end == place { break }
            let own = regions[active[index]].end
            if end == own { continue }
            // Of those that end together the last one counts.
            var holding = active[index]
            for other in index + 1..<max(count, index + 1) where regions[active[other]].end == own {
                holding = active[other]
            }
            start(holding, at: end, isEntry: false)
        }
        let last = active[count - 1]
        let end = regions[last].end
        if first > 0, end != place {
            start(active[first - 1], at: end, isEntry: false)
        } else if first == 0, end != place {
            // Nothing holds between functions.
            start(last, at: end, isEntry: false, isSkipped: true)
        }
        active.removeLast(count - first)
    }

    /// Sorts by insertion, which keeps the order of equal ones; there are hardly ever more than a few.
    private mutating func sortByEnd(from first: Int) {
        guard active.count - first > 1 else { return }
        for index in first + 1..<active.count {
            let number = active[index]
            let end = regions[number].end
            var place = index
            while place > first, end < regions[active[place - 1]].end {
                active[place] = active[place - 1]
                place -= 1
            }
            active[place] = number
        }
    }

    @inline(__always)
    private mutating func start(
        _ number: Int, at place: MappedRegion.Place, isEntry: Bool, isSkipped: Bool = false
    ) {
        let region = regions[number]
        let hasCount = !isSkipped && region.kind != .skipped
        // One that changes nothing is left out.
        if !isEntry, !isSkipped, let last = segments.last, last.hasCount == hasCount, last.count == region.count,
            !last.isRegionEntry
        {
            return
        }
        segments.append(
            Segment(
                start: place, count: hasCount ? region.count : 0, hasCount: hasCount, isRegionEntry: isEntry,
                isGapRegion: hasCount && region.kind == .gap))
    }
}
