/// Which counters of an image are of which function, as the preloaded library listed it.
package struct ImageFunctions {
    /// A function and its counters.
    struct Entry: Equatable {
        /// The digest of its name.
        var name: UInt64
        /// Its counters among those of the image.
        var counters: Range<Int>
    }

    /// By their counters.
    let entries: [Entry]

    /// Reads a list.
    ///
    /// - Throws: `MappingFault` for functions that share counters, and bytes that end before they should.
    package init(_ bytes: UnsafeRawBufferPointer) throws(MappingFault) {
        var cursor = ByteCursor(bytes)
        var entries: [Entry] = []
        while !cursor.isAtEnd {
            let name = try cursor.word(UInt64.self)
            let first = Int(try cursor.word(UInt32.self))
            entries.append(Entry(name: name, counters: first..<first + Int(try cursor.word(UInt32.self))))
        }
        entries.sort { $0.counters.lowerBound < $1.counters.lowerBound }
        var distinct: [Entry] = []
        // The linker may list a function twice that several objects have.
        for entry in entries where entry != distinct.last {
            if let last = distinct.last, last.counters.upperBound > entry.counters.lowerBound { throw .format }
            distinct.append(entry)
        }
        self.entries = distinct
    }

    /// Tells for increments, ascending by counter, the functions that they are of, each with all of its counters.
    func each(
        _ increments: [(place: Int, increment: UInt64)],
        _ take: (UInt64, ArraySlice<UInt64>) throws(MappingFault) -> Void
    ) throws(MappingFault) {
        var counters: [UInt64] = []
        var (next, entry) = (0, 0)
        while next < increments.count {
            let place = increments[next].place
            entry = entryIndex(of: place, from: entry)
            guard entry < entries.count, entries[entry].counters.contains(place) else { throw .format }
            let range = entries[entry].counters
            counters.removeAll(keepingCapacity: true)
            counters.append(contentsOf: repeatElement(0, count: range.count))
            while next < increments.count, increments[next].place < range.upperBound {
                counters[increments[next].place - range.lowerBound] &+= increments[next].increment
                next += 1
            }
            try take(entries[entry].name, counters[...])
        }
    }

    /// The last entry that begins at a counter or before it.
    private func entryIndex(of place: Int, from start: Int) -> Int {
        var (low, high) = (start, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].counters.upperBound <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
