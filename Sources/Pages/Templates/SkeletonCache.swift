import Synchronization

/// Skeletons: pages rendered with placeholders for the texts that differ from run to run.
final class SkeletonCache<Key: Hashable & Sendable>: Sendable {
    private struct Kept {
        var skeletons: [Key: Markup] = [:]
        var size = 0
    }

    /// About how many bytes are remembered.
    private let room: Int
    private let kept = Mutex(Kept())

    init(room: Int = 4 << 20) { self.room = room }

    /// The skeleton of that key, which `make` renders where it is not kept.
    func skeleton(_ key: Key, _ make: () -> Markup) -> Markup {
        if let known = kept.withLock({ $0.skeletons[key] }) { return known }
        var skeleton = make()
        skeleton.trim()
        // Its key keeps about as much: the names that are in it.
        let size = 2 * skeleton.bytes.count + skeleton.placeholders.count * MemoryLayout<(Int, Int)>.stride
        guard size <= room / 4 else { return skeleton }
        kept.withLock { kept in
            // All at once, so that nothing has to be known of when each was asked for.
            if kept.size + size > room { kept = Kept() }
            if kept.skeletons.updateValue(skeleton, forKey: key) == nil { kept.size += size }
        }
        return skeleton
    }

    /// About how many bytes are remembered.
    var size: Int { kept.withLock { $0.size } }
}
