/// How long to let the output of a flood gather before it is read.
///
/// A child that floods its output writes a few kilobytes at a time. Whoever takes each piece as it comes is woken a
/// hundred thousand times for a gigabyte, and so costs the writer as much as himself: reading seldom is reading cheaply.
struct ReadingPace: Sendable, Hashable {
    /// How many bytes the pipe holds. A short one would stop the writer while its reader rests.
    let capacity: Int
    private var sinceLook = 0
    private var isFlood = false

    /// What has to come between two looks, a tenth of a second apart, to be a flood.
    static let flood = 1 << 20
    /// Bytes that gather in a rest: those of a writer of half a gigabyte a second, in pages that are half full.
    static let gathering = 512 << 10

    init(capacity: Int) { self.capacity = capacity }

    /// Counts what was read.
    mutating func take(_ count: Int) { sinceLook += count }

    /// Is called between looks, and decides for the time until the next.
    mutating func look() {
        isFlood = sinceLook >= Self.flood
        sinceLook = 0
    }

    /// How many microseconds to rest; `nil` where every byte is taken as it comes.
    var pause: UInt32? { isFlood && capacity >= Self.gathering ? 500 : nil }
}
