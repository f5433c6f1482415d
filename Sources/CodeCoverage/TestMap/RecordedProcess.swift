/// A process of the tests, with what was recorded in it.
package struct RecordedProcess {
    var records: TestRecords
    /// The functions of its images.
    var functions: [ImageFunctions]
    /// Whether it did not end in order and left no profile, so that nobody knows all that it executed.
    private(set) var isInterrupted = false

    init(records: TestRecords, functions: [ImageFunctions]) { (self.records, self.functions) = (records, functions) }

    /// Reads what a process left behind.
    ///
    /// - Parameters:
    ///   - bytes: Its file of records.
    ///   - functions: The list of functions of an image; its name ends as given.
    ///   - live: The profile in which counters lay, of a process that did not end in order; `nil` if it is gone.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        functions: (_ suffix: String) throws(MappingFault) -> ImageFunctions,
        live: (_ path: String) throws(MappingFault) -> [UInt8]?
    ) throws(MappingFault) {
        records = try TestRecords(bytes)
        self.functions = []
        for (number, image) in records.images.enumerated() {
            self.functions.append(try functions("image-\(image.inode)-\(image.changed)"))
            guard !records.isComplete else { continue }
            guard !image.livePath.isEmpty, let live = try live(image.livePath) else {
                isInterrupted = true
                continue
            }
            var records = self.records
            try live.withUnsafeBufferPointer { (live) throws(MappingFault) in
                try records.complete(image: number, live: UnsafeRawBufferPointer(live))
            }
            self.records = records
        }
        // Without all initialisers a test would seem to execute less than it does.
        guard !records.lacksInitialisers else { throw .limit }
    }

    /// Whether a test began in it.
    package var hasTests: Bool { !records.tests.isEmpty }

    /// The initialisers that a test used, and those that these used.
    func initialisers(usedBy test: UInt32) -> Set<UInt32> {
        var found = records.used[test] ?? []
        var rest = Array(found)
        while let next = rest.popLast() {
            for inner in records.nested[next] ?? [] where found.insert(inner).inserted { rest.append(inner) }
        }
        return found
    }
}

/// Increments of counters, added up image by image.
struct IncrementSums {
    private struct Sums {
        let functions: ImageFunctions
        var counters: [UInt64]
        var touched: [Int] = []
    }

    private struct Key: Hashable { let inode, changed: UInt64 }

    private var images: [Key: Sums] = [:]

    init() {}

    mutating func add(_ process: RecordedProcess, _ increments: [TestRecords.Increments]?) {
        for own in increments ?? [] {
            let image = process.records.images[own.image]
            let key = Key(inode: image.inode, changed: image.changed)
            var sums =
                images.removeValue(forKey: key)
                ?? Sums(
                    functions: process.functions[own.image],
                    counters: Array(repeating: 0, count: image.counters))
            for (place, increment) in own.counters where place < sums.counters.count {
                if sums.counters[place] == 0 { sums.touched.append(place) }
                sums.counters[place] &+= increment
            }
            images[key] = sums
        }
    }

    /// Tells each function with its counters.
    func each(_ take: (UInt64, ArraySlice<UInt64>) throws(MappingFault) -> Void) throws(MappingFault) {
        for sums in images.values {
            let increments = sums.touched.sorted().map { (place: $0, increment: sums.counters[$0]) }
            try sums.functions.each(increments, take)
        }
    }
}
