/// Numbers and the places where they came: a dictionary of digests.
///
/// Digests need no hashing, unless somebody chose them: a factor that nobody can foresee spreads those as well.
struct WordTable {
    /// The numbers in the order in which they came, each once.
    private(set) var words: [UInt64] = []
    /// For each a place beyond its lowest bits: 1 + the index in the list, or 0.
    private var slots: [Int32] = Array(repeating: 0, count: 16)
    private let factor = UInt64.random(in: .min ... .max) | 1

    init() {}

    /// Where a number is looked for first.
    @inline(__always)
    private func firstSlot(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* factor) >> 32) & (slots.count &- 1)
    }

    /// Forgets everything.
    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
    }

    /// The place of a number; `nil` when it never came.
    @inline(__always)
    func place(of word: UInt64) -> Int? {
        let mask = slots.count &- 1
        var slot = firstSlot(of: word)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) &- 1
            if words[place] == word { return place }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// The place of a number, which is added when it comes for the first time.
    @inline(__always)
    mutating func add(_ word: UInt64) -> (place: Int, isNew: Bool) {
        if let place = place(of: word) { return (place, false) }
        if (words.count &+ 1) &* 2 > slots.count { grow() }
        words.append(word)
        occupy(word, words.count)
        return (words.count &- 1, true)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count &* 4)
        for (index, word) in words.enumerated() { occupy(word, index &+ 1) }
    }

    @inline(__always)
    private mutating func occupy(_ word: UInt64, _ number: Int) {
        let mask = slots.count &- 1
        var slot = firstSlot(of: word)
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Int32(truncatingIfNeeded: number)
    }
}
