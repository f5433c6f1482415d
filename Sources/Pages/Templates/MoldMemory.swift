import Synchronization

/// Pages that were rendered with holes in place of the texts that differ.
final class MoldMemory<Key: Hashable & Sendable>: Sendable {
    private struct Kept {
        var molds: [Key: Markup] = [:]
        var size = 0
    }

    /// About how many bytes are remembered.
    private let room: Int
    private let kept = Mutex(Kept())

    init(room: Int = 4 << 20) { self.room = room }

    /// The mold of that key, which is made where it is not known.
    func mold(_ key: Key, _ make: () -> Markup) -> Markup {
        if let known = kept.withLock({ $0.molds[key] }) { return known }
        var mold = make()
        mold.trim()
        // Its key keeps about as much: the names that are in it.
        let size = 2 * mold.bytes.count + mold.holes.count * MemoryLayout<(Int, Int)>.stride
        guard size <= room / 4 else { return mold }
        kept.withLock { kept in
            // All at once, so that nothing has to be known of when each was asked for.
            if kept.size + size > room { kept = Kept() }
            if kept.molds.updateValue(mold, forKey: key) == nil { kept.size += size }
        }
        return mold
    }

    /// About how many bytes are remembered.
    var size: Int { kept.withLock { $0.size } }
}
