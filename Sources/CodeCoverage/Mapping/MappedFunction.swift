import Evidence

/// A function as an object describes it, with the counts of a profile.
struct MappedFunction {
    /// The digest of its name as profiles have it.
    let digest: UInt64
    /// The place of its name among those of all.
    let name: Range<Int>
    /// The file it is written in, by number.
    let file: Int
    /// The place of its regions among those of all; never empty.
    let regions: Range<Int>
    /// How often it was called: the count of its first region.
    let count: UInt64
}

/// A region of a source, and how often it was executed.
struct MappedRegion {
    /// The kinds that Swift writes, as LLVM numbers them.
    enum Kind: UInt8, Comparable {
        case code = 0
        case skipped = 2
        case gap = 3

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// A place in a source that can be compared: the line above, the column below.
    struct Place: Hashable, Comparable {
        let bits: UInt64

        @inline(__always)
        init(line: Int, column: Int) { bits = UInt64(line) << 32 | UInt64(column) }

        var line: Int32 { Int32(truncatingIfNeeded: bits >> 32) }
        var column: Int32 { Int32(truncatingIfNeeded: bits) }

        @inline(__always)
        static func < (left: Place, right: Place) -> Bool { left.bits < right.bits }
    }

    /// Where it begins.
    let start: Place
    /// Where it ends.
    let end: Place
    /// How often it was executed.
    var count: UInt64
    /// What it is.
    let kind: Kind
}
