/// The counters of all profiles of a run, added up function by function, as a sparse merge of them holds them.
struct ProfileCounters {
    /// What is known of a function.
    enum Knowledge {
        /// It was never called, or no profile knows it: a sparse merge leaves both out.
        case nothing
        /// Its counters.
        case counters(ArraySlice<UInt64>)
    }

    private struct Entry {
        let structure: UInt64
        let first: Int
        let count: Int
        /// The entry of the same name and another structure.
        let next: Int
    }

    /// One, but for a profile of several builds. They are looked through one by one.
    private static let mostOfOneName = 8

    private var names = WordTable()
    /// The last entry of each name.
    private var heads: [Int] = []
    private var entries: [Entry] = []
    private var counters: [UInt64] = []
    /// The names of all profiles, and their texts by digest.
    private var texts = PackedNames()
    private var pieces: [UInt64: PackedNames.Piece] = [:]
    private var lastNames: [UInt8] = []

    init() {}

    /// Adds a profile.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ inflation: Inflation) throws(MappingFault) {
        let profile = try RawProfile(bytes)
        guard profile.isPlausible else { throw .limit }
        try check(profile.names, inflation)
        try profile.each { entry throws(MappingFault) in try add(entry) }
    }

    /// Unpacks the names, which tells damage; those of one binary only once.
    private mutating func check(_ bytes: UnsafeRawBufferPointer, _ inflation: Inflation) throws(MappingFault) {
        if bytes.elementsEqual(lastNames) { return }
        try texts.add(bytes, inflation)
        for piece in texts.pieces { pieces[piece.digest] = piece }
        lastNames = Array(bytes)
    }

    private mutating func add(_ entry: RawProfile.Entry) throws(MappingFault) {
        let (place, isNew) = names.add(entry.name)
        if isNew { heads.append(-1) }
        let count = entry.counters.count / 8
        var (known, others) = (heads[place], 0)
        while known >= 0, entries[known].structure != entry.structure {
            (known, others) = (entries[known].next, others &+ 1)
        }
        guard others < Self.mostOfOneName else { throw .limit }
        guard known >= 0 else {
            entries.append(
                Entry(structure: entry.structure, first: counters.count, count: count, next: heads[place]))
            heads[place] = entries.count - 1
            for index in 0..<count { counters.append(Self.counter(entry, index)) }
            return
        }
        guard entries[known].count == count else { throw .misfit }
        let first = entries[known].first
        // What is added is below 2^56, so that no sum goes beyond what a number holds before it is looked at.
        for index in 0..<count {
            let sum = counters[first + index] &+ Self.counter(entry, index)
            guard sum < 1 << 62 else { throw .limit }
            counters[first + index] = sum
        }
    }

    @inline(__always)
    private static func counter(_ entry: RawProfile.Entry, _ index: Int) -> UInt64 {
        UInt64(littleEndian: entry.counters.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
    }

    /// Whether these names of an object are names of a profile, too: it was linked.
    func holds(_ names: [PackedNames.Piece]) -> Bool { names.allSatisfy { pieces[$0.digest] != nil } }

    /// Shows that every function of a profile has a name: at one without, the tools stop reading.
    ///
    /// - Parameters:
    ///   - own: The names of objects that are names of a profile, too.
    ///   - texts: The digests of their texts.
    func checkNames(own: WordTable, in texts: Set<UInt64>) throws(MappingFault) {
        var known = own
        for (digest, piece) in pieces where !texts.contains(digest) {
            for name in try self.texts.names(in: piece) { _ = known.add(self.texts.digest(of: name)) }
        }
        guard names.words.allSatisfy({ known.place(of: $0) != nil }) else { throw .names }
    }

    /// What the profiles say of a function.
    ///
    /// - Parameter isLinked: Whether the names of its object are names of a profile.
    func knowledge(of name: UInt64, structure: UInt64, isLinked: Bool) throws(MappingFault) -> Knowledge {
        guard let place = names.place(of: name) else { return .nothing }
        var found: Entry?
        var isCalled = false
        var next = heads[place]
        while next >= 0 {
            let entry = entries[next]
            let own = counters[entry.first..<entry.first + entry.count]
            isCalled = isCalled || own.contains { $0 != 0 }
            if entry.structure == structure { found = entry }
            next = entry.next
        }
        guard isCalled else { return .nothing }
        // A function of another structure is left out by llvm-cov, which has to be told.
        guard let found else { throw .misfit }
        guard isLinked else { throw .names }
        return .counters(counters[found.first..<found.first + found.count])
    }
}
